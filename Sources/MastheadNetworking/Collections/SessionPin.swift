import MastheadLock

/// Keeps one iteration to the sessions it began in: what one user's calls got, no other user's go on with.
///
/// Most iterations have one session; one over lists of several repositories may have more.
package final class SessionPin: Sendable {
    private struct Pinned: Sendable {
        let session: any RepositorySession
        let number: Int
    }

    private let pinned = Lock<[ObjectIdentifier: Pinned]>([:])

    /// Begins in no session.
    package init() {}

    /// The number of the only session that a call may be made in: the one there was at the first call.
    ///
    /// - Throws: ``RepositoryError/unauthenticatedSession(_:)`` if there is none.
    package func number(of session: any RepositorySession) throws(RepositoryError) -> Int {
        let identity =
            type(of: session) is any AnyObject.Type
            ? ObjectIdentifier(session as AnyObject) : ObjectIdentifier(type(of: session))
        if let known = pinned.withLock({ $0[identity]?.number }) { return known }
        guard let number = session.grant?.session else { throw .withoutSession }
        return pinned.withLock { pinned in
            let known = pinned[identity] ?? Pinned(session: session, number: number)
            pinned[identity] = known
            return known.number
        }
    }

    /// Ends the iteration if a session of it is over.
    package func check() throws(RepositoryError) {
        for pinned in pinned.withLock({ $0 }).values where pinned.session.grant?.session != pinned.number {
            throw .withoutSession
        }
    }
}
