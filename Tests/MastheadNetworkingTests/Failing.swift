import MastheadNetworking

/// What some work failed with; `nil` if it did not, or not with an error of a repository.
func failure(_ work: () async throws -> Void) async -> RepositoryError? {
    do {
        try await work()
        return nil
    } catch {
        return error as? RepositoryError
    }
}
