/// The leave to send a request in a session's name: its token, and which one it is.
///
/// ```swift
/// let grant = SessionGrant(token: token, session: 1, generation: 7)
/// ```
///
/// It shows no token in a description or a dump.
public struct SessionGrant: Sendable, Hashable {
    /// The token.
    public let token: Secret

    /// The session's number: another for each login, and for each end of a session.
    public let session: Int

    /// The token's number within all sessions: a later one replaces an earlier one.
    public let generation: Int

    /// Whether the token ends so soon that a new one is to be asked for before it is sent.
    public let isDue: Bool

    /// Names the login beyond a run of the app; `nil` for an app's own session, which may say so by its partition.
    let owner: String?

    /// Makes a grant.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - session: The session's number.
    ///   - generation: The token's number.
    ///   - isDue: Whether it is to be renewed before it is sent.
    public init(token: Secret, session: Int, generation: Int, isDue: Bool = false) {
        self.init(token: token, session: session, generation: generation, isDue: isDue, owner: nil)
    }

    init(token: Secret, session: Int, generation: Int, isDue: Bool, owner: String?) {
        self.token = token
        self.session = session
        self.generation = generation
        self.isDue = isDue
        self.owner = owner
    }
}
