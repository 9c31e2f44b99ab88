import FoundationEssentials

/// Ties one call to the session it was made in: what comes after that session's end is not for it.
final class SessionBinding: Sendable {
    /// Whoever knows the token.
    let session: any RepositorySession

    /// The session's number.
    let number: Int

    /// Names the login, beyond a run of the app if the session can: what is kept of a call belongs to it.
    let owner: String

    /// Names this run of the app.
    private static let run = UUID().uuidString

    /// Binds a call to the session that there is.
    ///
    /// - Throws: ``RepositoryError/unauthenticatedSession(_:)`` if there is none, or not the only one that will do.
    init(_ session: any RepositorySession, only wanted: Int? = nil) throws(RepositoryError) {
        guard let grant = session.grant, wanted ?? grant.session == grant.session else { throw .withoutSession }
        self.session = session
        number = grant.session
        owner = grant.owner ?? session.partition?.name ?? "\(Self.run)/\(grant.session)"
    }

    /// The leave to send the next request.
    ///
    /// - Throws: ``RepositoryError/unauthenticatedSession(_:)`` if that session is over.
    func grant() throws(RepositoryError) -> SessionGrant {
        guard let grant = session.grant, grant.session == number else { throw .withoutSession }
        return grant
    }

    /// Ends the call if its session is over.
    func check() throws(RepositoryError) {
        _ = try grant()
    }

    /// The same body, as long as the session lasts.
    func bind(_ reader: BodyReader) -> BodyReader {
        BodyReader { [self] () throws(RepositoryError) in
            try check()
            let piece = try await reader.next()
            try check()
            return piece
        }
    }
}

extension SessionBinding: Hashable {
    static func == (left: SessionBinding, right: SessionBinding) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

extension RepositoryError {
    /// There is no session, or not the one any more that the call was made in: nobody was asked, so nothing is in it.
    package static var withoutSession: RepositoryError { .unauthenticatedSession(ResponseError(status: 401)) }
}
