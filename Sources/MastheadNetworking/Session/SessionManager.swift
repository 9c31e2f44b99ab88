import FoundationEssentials
import MastheadLock

/// Keeps a user's session: the tokens, the user, and what becomes of both.
///
/// ```swift
/// let session = SessionManager<Reader>(store: store)
/// let readers = ReaderRepository(configuration: .production, session: session)
///
/// try await session.bootstrap(readers)
/// if !session.isLoggedIn {
///     let reader = try await readers.logIn(name, password).get()
///     try await session.login(reader)
/// }
/// ```
///
/// An app makes one and hands it to its repositories. Every method is safe to call from any task or actor, and every
/// property can be read from anywhere without waiting. Transitions take effect at once, in the order in which they are
/// made; then they wait for the store. None of them traps: what is not possible is a ``SessionError``. See
/// <doc:KeepingASession>.
///
/// ## Topics
///
/// ### Transitions
/// - ``bootstrap(_:)``
/// - ``login(_:credentials:)``
/// - ``update(_:credentials:)``
/// - ``logout()``
/// - ``expire()``
///
/// ### What there is
/// - ``state``
/// - ``changes``
/// - ``isLoggedIn``
/// - ``currentUser``
/// - ``sessionToken``
/// - ``credentials``
public final class SessionManager<User: AuthenticableUser>: RepositorySession {
    let ledger = Lock(SessionLedger<User>())
    let keeper: TokenKeeper
    let cache: ModelCache?
    let refresher: (any TokenRefresher)?
    let time: any TimeSource
    private let refreshLeeway: Duration
    let refreshTimeout: Duration
    let failedRenewal: FailedRenewal

    /// Makes a manager; it does nothing before ``bootstrap(_:)`` or a login.
    ///
    /// - Parameters:
    ///   - store: What keeps the credentials.
    ///   - cache: What is kept for the user: each session gets a part of its own, and its end removes that. `nil` keeps
    ///     nothing.
    ///   - refresher: Gets new credentials for old ones; `nil` if the server has no such thing.
    ///   - refreshLeeway: How long before a token's known expiry a new one is asked for; half of the token's life at most.
    ///   - refreshTimeout: How long a renewal is waited for; then it has failed. Where the session goes on, the calls that wait
    ///     end in ``RepositoryError/timeout(_:)``, the renewal has as long again before it is cancelled, and what it brings
    ///     until then counts.
    ///   - failedRenewal: What becomes of the session when the server is asked for a renewal, and neither gives nor refuses it.
    ///   - time: Where time comes from.
    ///   - onStoreFailure: Told of what the store could not keep while no transition of the app's waited for it: renewed
    ///     credentials, or the end of a session that the server ended. The session itself is right; the next start of
    ///     the app would find the old credentials. Called from any task.
    public init(
        store: any TokenStore,
        cache: ModelCache? = nil,
        refresher: (any TokenRefresher)? = nil,
        refreshLeeway: Duration = .seconds(30),
        refreshTimeout: Duration = .seconds(30),
        failedRenewal: FailedRenewal = .endsSession,
        time: any TimeSource = SystemTime(),
        onStoreFailure: (@Sendable (TokenStoreError) -> Void)? = nil
    ) {
        self.cache = cache
        let keeping = cache.map { CacheEndingStore(store, $0) as any TokenStore } ?? store
        keeper = TokenKeeper(keeping, onFailure: onStoreFailure)
        self.refresher = refresher
        self.refreshLeeway = refreshLeeway
        self.refreshTimeout = refreshTimeout
        self.failedRenewal = failedRenewal
        self.time = time
    }

    deinit {
        // Their readers hold no reference to this, so they would wait for ever.
        for listener in ledger.withLock({ $0.close() }) { listener.finish() }
    }

    /// What the session is like now.
    public var state: SessionState<User> { ledger.withLock { $0.state } }

    /// Whether there is a token, whether or not its user is known yet.
    public var isLoggedIn: Bool { ledger.withLock { $0.isLoggedIn } }

    /// The user; `nil` without a session, and while nobody could be asked who it is.
    public var currentUser: User? { ledger.withLock { $0.user } }

    /// The token that goes with requests; `nil` without a session.
    public var sessionToken: Secret? { ledger.withLock { $0.credentials?.accessToken } }

    /// All that the server gave; `nil` without a session.
    ///
    /// For an app that tells the server of a logout, for example.
    public var credentials: SessionCredentials? { ledger.withLock { $0.credentials } }

    /// The session's state, now and each time it changes.
    ///
    /// Each call makes a sequence of its own, for one reader. It begins with the state as it is, leaves out what a slow
    /// reader missed, and always comes to the last one. It ends with the manager, and with the task that reads.
    public var changes: SessionChanges<User> { SessionChanges(ledger) }

    /// The leave to send a request; `nil` without a session.
    public var grant: SessionGrant? { ledger.withLock { $0.grant(at: time) } }

    /// What the user's data is kept under; `nil` without a session or a cache.
    public var partition: SessionPartition? { cache == nil ? nil : ledger.withLock { $0.credentials?.partition } }

    /// Changes what is known, then does what must not be done while the lock is held.
    func change<Outcome: Sendable, Failure: Error>(
        _ body: (inout SessionLedger<User>) throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        let (result, effects, ended) = ledger.withLock { ledger in
            let partition = ledger.credentials?.partition
            let result = Result { () throws(Failure) in try body(&ledger) }
            let ended = partition == ledger.credentials?.partition ? nil : partition
            return (result, ledger.takeEffects(), ended)
        }
        // Before anybody hears of the end: what they do then must find nothing of the user's.
        if let ended { cache?.forget(ended) }
        effects.run()
        return try result.get()
    }

    /// When a new token is to be asked for.
    ///
    /// - Parameters:
    ///   - credentials: The credentials.
    ///   - isRenewed: Whether they have just been renewed: those that have ended already are then left to be refused,
    ///     since the next ones would be no better.
    /// - Returns: The date; `nil` for not before the token is refused.
    func dueDate(of credentials: SessionCredentials, isRenewed: Bool) -> Date? {
        guard refresher != nil, let expiry = credentials.expiry else { return nil }
        let life = expiry.timeIntervalSince(time.date)
        if life <= 0 { return isRenewed ? nil : expiry }
        let leeway = Double(refreshLeeway.components.seconds) + Double(refreshLeeway.components.attoseconds) / 1e18
        return expiry - min(max(leeway, 0), life / 2)
    }
}

extension SessionManager: CustomStringConvertible, CustomReflectable {
    /// The state, and nothing about the user.
    public var description: String { "session: \(state)" }

    /// What a dump or a debugger shows: the same.
    public var customMirror: Mirror { Mirror(self, children: ["state": state.description]) }
}
