/// The only session that an outbox's writes go out in: the one there was when it was opened.
struct OutboxSession: Sendable {
    private let session: (any RepositorySession)?

    /// Its number; `nil` if the repository has no session, or nobody was logged in.
    let number: Int?

    init(of repository: AbstractRepository) {
        session = repository.pipeline.session
        number = session?.grant?.session
    }

    /// Whether a write that needs a session may be sent.
    var lasts: Bool {
        guard let session else { return true }
        return number != nil && session.grant?.session == number
    }
}
