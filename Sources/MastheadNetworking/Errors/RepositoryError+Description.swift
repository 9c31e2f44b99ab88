extension RepositoryError: CustomStringConvertible {
    /// What happened, in one line for a log: hosts, statuses, sizes and reasons, and no secret.
    public var description: String {
        switch self {
        case .invalidURL(let reason): "invalid URL: \(reason)"
        case .invalidConfiguration(let reason): "invalid configuration: \(reason)"
        case .invalidRequest(let reason): "invalid request: \(reason)"
        case .requestError(let refusal): "refused: \(refusal)"
        case .unauthenticatedSession(let refusal): "not authenticated: \(refusal)"
        case .customError(let error): "the app's own error: \(Self.name(of: error))"
        case .noNetworkConnection: "no way to the network"
        case .dns(let host): "no address for \(host)"
        case .refused(let host): "no connection to \(host)"
        case .circuitOpen(let host, let wait):
            "\(host) failed too often, nothing is sent for \(wait.wholeMilliseconds) ms"
        case .tls(let reason): "no secure connection: \(reason)"
        case .timeout(let kind): kind.description
        case .cancelled: "cancelled"
        case .connectionLost(true): "connection lost; the request may have been processed"
        case .connectionLost(false): "connection lost; the request was not processed"
        case .proxy(let reason): "no way through the proxy: \(reason)"
        case .invalidResponse(let reason): "invalid response: \(reason)"
        case .tooManyRedirects(let limit): "a loop of redirects, or more than \(limit)"
        case .incompleteBody(let received, let expected):
            "incomplete body: \(received) bytes" + (expected.map { " of \($0)" } ?? "")
        case .corruptBody(let reason): "corrupt body: \(reason)"
        case .bodyTooLarge(let limit): "body of more than \(limit) bytes"
        case .emptyBody(let status): "no body with status \(status)"
        case .jsonError(let failure): "no JSON: \(failure)"
        case .decodeError(let failure): "not decoded: \(failure)"
        case .bodyNotReplayable: "the body is wanted again, and it can be read only once"
        case .fileAccess(let reason): "a local file: \(reason)"
        case .wrongKey: "a local file is sealed with another key"
        case .notCached: "not in the cache, and nobody was asked"
        case .pollingLimit(let attempts): "not ready after \(attempts) requests"
        case .pinMismatch(let mismatch):
            "\(mismatch.headline): \((mismatch.built.isEmpty ? mismatch.served : mismatch.built).joined(separator: ", "))"
        }
    }

    /// The type and the case of an app's error; what it carries may be anything.
    private static func name(of error: any CustomRepositoryError) -> String {
        let mirror = Mirror(reflecting: error)
        let type = "\(type(of: error))"
        guard mirror.displayStyle == .enum else { return type }
        if let label = mirror.children.first?.label { return "\(type).\(label)" }
        // An enum's case without values; one that describes itself may say anything.
        return error is any CustomStringConvertible || error is any CustomDebugStringConvertible
            ? type : "\(type).\(error)"
    }
}
