import MastheadTransport

extension RepositoryError {
    /// What an error of the transport means to an app.
    init(_ error: TransportError) {
        self =
            switch error {
            case .cancelled: .cancelled
            case .invalidURL(let reason): .invalidURL(reason: reason)
            case .invalidRequest(let reason): .invalidRequest(reason: reason)
            case .noNetwork: .noNetworkConnection
            case .dns(let host): .dns(host: host)
            case .refused(let host): .refused(host: host)
            case .tls(let reason): .tls(reason: reason)
            case .pinMismatch(let failure): .pinMismatch(PinMismatch(failure))
            case .connectTimeout: .timeout(.connect)
            case .idleTimeout: .timeout(.idle)
            case .totalTimeout: .timeout(.total)
            case .queueTimeout: .timeout(.queue)
            case .connectionLost(let isPossible): .connectionLost(mayHaveBeenProcessed: isPossible)
            case .proxy(let reason): .proxy(reason: reason)
            case .file(let reason): .fileAccess(reason: reason)
            case .invalidResponse(let reason): .invalidResponse(reason: reason)
            case .incompleteBody(let received, let expected): .incompleteBody(received: received, expected: expected)
            case .corruptBody(let reason): .corruptBody(reason: reason)
            case .bodyTooLarge(let limit): .bodyTooLarge(limit: limit)
            case .setup(let reason): .invalidConfiguration(reason: "libcurl: \(reason)")
            }
    }
}
