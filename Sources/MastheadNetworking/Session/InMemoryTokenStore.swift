import MastheadLock

/// Keeps credentials as long as the process lives: for tests, and for sessions that are to end with the app.
///
/// ```swift
/// let store = InMemoryTokenStore(SessionCredentials(accessToken: "…"))
/// ```
///
/// Safe to use from any task. A dump does not show the tokens.
public final class InMemoryTokenStore: TokenStore {
    private let state: Lock<SessionCredentials?>

    /// Makes a store.
    ///
    /// - Parameter credentials: What it holds from the start; `nil` for nothing.
    public init(_ credentials: SessionCredentials? = nil) {
        state = Lock(credentials)
    }

    /// The credentials it holds.
    public var credentials: SessionCredentials? { state.withLock { $0 } }

    /// The credentials it holds; it never fails.
    public func load() async throws(TokenStoreError) -> SessionCredentials? { credentials }

    /// Holds these instead.
    public func save(_ credentials: SessionCredentials) async throws(TokenStoreError) {
        state.withLock { $0 = credentials }
    }

    /// Holds nothing any more.
    public func remove() async throws(TokenStoreError) {
        state.withLock { $0 = nil }
    }
}
