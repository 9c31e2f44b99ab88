/// Keeps a session's credentials from one start of the app to the next.
///
/// ```swift
/// struct KeychainStore: TokenStore {
///     func load() async throws(TokenStoreError) -> SessionCredentials? { … }
///     func save(_ credentials: SessionCredentials) async throws(TokenStoreError) { … }
///     func remove() async throws(TokenStoreError) { … }
/// }
/// ```
///
/// A ``SessionManager`` asks for one thing at a time, in the order of its transitions. Only a load that nobody waits for any
/// more may still be under way: its task is cancelled, and a store that asks the user ends that then. A store must not block
/// the thread it is called on, keeps all that the credentials encode, and shows the tokens to nobody: not in an error's reason, not in a file's name.
public protocol TokenStore: Sendable {
    /// The credentials that were saved last; `nil` if there are none.
    ///
    /// - Throws: ``TokenStoreError`` if there may be some that cannot be read; they stay where they are.
    func load() async throws(TokenStoreError) -> SessionCredentials?

    /// Keeps credentials in the place of those it has: wholly, or not at all if it throws.
    func save(_ credentials: SessionCredentials) async throws(TokenStoreError)

    /// Forgets the credentials; where there are none, it does nothing.
    func remove() async throws(TokenStoreError)
}
