extension Result where Failure == RepositoryError {
    /// Gives the app's own errors for statuses.
    public func mapCustomError(_ errors: [Int: any CustomRepositoryError]) -> Result {
        mapError { error in
            switch error {
            case .requestError(let refusal), .unauthenticatedSession(let refusal):
                errors[refusal.status].map(RepositoryError.customError) ?? error
            default: error
            }
        }
    }
}
