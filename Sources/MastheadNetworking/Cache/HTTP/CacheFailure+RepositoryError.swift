extension CacheFailure {
    /// Takes the error of a call; `nil` if it says that something is wrong which being offline does not excuse.
    ///
    /// A certificate that is not trusted, a pin that does not match, a call that was cancelled, an answer that makes no sense
    /// are no reason to show something old as if nothing had been.
    package init?(_ error: RepositoryError) {
        switch error {
        case .noNetworkConnection, .dns, .refused, .circuitOpen, .timeout, .connectionLost, .proxy, .incompleteBody:
            self = .unreachable
        case .requestError(let answer):
            self.init(status: answer.status)
        default:
            return nil
        }
    }
}
