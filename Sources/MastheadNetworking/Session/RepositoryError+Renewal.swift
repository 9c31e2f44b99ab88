extension RepositoryError {
    /// Whether no server has seen the request, or nobody waits for its answer: it has said nothing about whoever sent it.
    var leavesServerUnasked: Bool {
        switch self {
        case .invalidURL, .invalidConfiguration, .invalidRequest: true
        case .noNetworkConnection, .dns, .refused, .circuitOpen, .tls, .pinMismatch, .proxy: true
        case .timeout(.queue), .timeout(.connect), .connectionLost(mayHaveBeenProcessed: false): true
        case .fileAccess, .wrongKey, .notCached, .cancelled: true
        default: false
        }
    }
}
