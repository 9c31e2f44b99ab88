extension RepositoryError {
    /// The case in one word, without any value: for a metric's label or a count.
    ///
    /// ```swift
    /// failures[error.label, default: 0] += 1      // "timeout.idle", "requestError", …
    /// ```
    public var label: String {
        switch self {
        case .invalidURL: "invalidURL"
        case .invalidConfiguration: "invalidConfiguration"
        case .invalidRequest: "invalidRequest"
        case .requestError: "requestError"
        case .unauthenticatedSession: "unauthenticatedSession"
        case .customError: "customError"
        case .noNetworkConnection: "noNetworkConnection"
        case .dns: "dns"
        case .refused: "refused"
        case .proxy: "proxy"
        case .fileAccess: "fileAccess"
        case .circuitOpen: "circuitOpen"
        case .tls: "tls"
        case .timeout(.queue): "timeout.queue"
        case .timeout(.connect): "timeout.connect"
        case .timeout(.idle): "timeout.idle"
        case .timeout(.total): "timeout.total"
        case .cancelled: "cancelled"
        case .connectionLost: "connectionLost"
        case .invalidResponse: "invalidResponse"
        case .tooManyRedirects: "tooManyRedirects"
        case .incompleteBody: "incompleteBody"
        case .corruptBody: "corruptBody"
        case .bodyTooLarge: "bodyTooLarge"
        case .emptyBody: "emptyBody"
        case .jsonError: "jsonError"
        case .decodeError: "decodeError"
        case .bodyNotReplayable: "bodyNotReplayable"
        case .wrongKey: "wrongKey"
        case .notCached: "notCached"
        case .pollingLimit: "pollingLimit"
        case .pinMismatch: "pinMismatch"
        }
    }

    /// The status of the answer that the error is about; `nil` if it is about none.
    var status: Int? {
        switch self {
        case .requestError(let refusal), .unauthenticatedSession(let refusal): refusal.status
        case .emptyBody(let status): status
        default: nil
        }
    }
}
