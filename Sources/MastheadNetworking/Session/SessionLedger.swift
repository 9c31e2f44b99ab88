import FoundationEssentials

/// What a session manager knows: a value, which collects what is to be done once its lock is open.
struct SessionLedger<User: AuthenticableUser>: Sendable {
    /// A renewal under way, and the calls that wait for it; other credentials and the end of the session end it.
    struct Flight: Sendable {
        let id: Int
        var tasks: [Task<Void, Never>] = []
        /// Those whose token is of no use any more; who has one that still holds does not wait.
        var waiters: [Int: CheckedContinuation<SessionRenewal, Never>] = [:]
    }

    /// A renewal that failed a moment ago: whoever asks next gets the same, so that a server in trouble is left alone.
    struct Failure: Sendable {
        let generation: Int
        let end: Duration
        let error: RepositoryError
    }

    /// Which credentials there were at a moment.
    struct Moment: Sendable {
        let session: Int
        let generation: Int
        let givenGeneration: Int
    }

    /// What must not be done while the lock is held.
    struct Effects: Sendable {
        fileprivate(set) var resumptions: [(CheckedContinuation<SessionRenewal, Never>, SessionRenewal)] = []
        fileprivate(set) var cancellations: [Task<Void, Never>] = []
        fileprivate(set) var listeners: [AsyncStream<Void>.Continuation] = []

        func run() {
            for task in cancellations { task.cancel() }
            for (continuation, renewal) in resumptions { continuation.resume(returning: renewal) }
            for listener in listeners { listener.yield() }
        }
    }

    private(set) var state = SessionState<User>.unknown
    /// Counts the changes of ``state``.
    private(set) var version = 0
    private(set) var credentials: SessionCredentials?
    private(set) var session = 0
    private(set) var generation = 0
    /// The generation that the app gave last; those after it came of renewals.
    private var givenGeneration = 0
    private(set) var flight: Flight?
    private(set) var failure: Failure?
    /// The first look into the store, while it is under way.
    var loading: TokenKeeper.Load?
    private var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    /// Whether the manager is gone.
    private var isClosed = false
    private var dueDate: Date?
    private var nextID = 0
    private var effects = Effects()

    var isLoggedIn: Bool { credentials != nil }

    var user: User? {
        if case .loggedIn(let user) = state { user } else { nil }
    }

    mutating func makeID() -> Int {
        nextID += 1
        return nextID
    }

    mutating func takeEffects() -> Effects {
        defer { effects = Effects() }
        return effects
    }

    /// The leave to send a request; `clock` is only looked at if the token's end is known.
    func grant(at clock: any TimeSource) -> SessionGrant? {
        guard let credentials else { return nil }
        return SessionGrant(
            token: credentials.accessToken,
            session: session,
            generation: generation,
            isDue: dueDate.map { $0 <= clock.date } ?? false,
            owner: credentials.partition?.name
        )
    }

    /// Whether the token is known to have ended.
    func hasEnded(at date: Date) -> Bool {
        credentials?.expiry.map { $0 <= date } ?? false
    }

    /// Which credentials there are now; `nil` without a session.
    var moment: Moment? {
        isLoggedIn ? Moment(session: session, generation: generation, givenGeneration: givenGeneration) : nil
    }

    /// Whether a 401 to a call that began at a moment is about the credentials that there are now.
    func refuses(_ error: RepositoryError, since moment: Moment) -> Bool {
        guard let now = self.moment, now.session == moment.session, now.givenGeneration == moment.givenGeneration
        else { return false }
        // A repository has asked again with each token that a renewal brought; of others nobody knows which one they had.
        if case .unauthenticatedSession = error { return true }
        return now.generation == moment.generation
    }

    // MARK: Listeners

    /// Has somebody woken at each change.
    ///
    /// - Returns: The listener's number; `nil` if nothing will change any more.
    mutating func listen(_ listener: AsyncStream<Void>.Continuation) -> Int? {
        guard !isClosed else { return nil }
        let id = makeID()
        listeners[id] = listener
        return id
    }

    mutating func ignore(_ listener: Int) {
        listeners[listener] = nil
    }

    /// Takes out all who listen: nothing will change any more.
    mutating func close() -> [AsyncStream<Void>.Continuation] {
        isClosed = true
        defer { listeners = [:] }
        return Array(listeners.values)
    }

    // MARK: Transitions

    /// Begins a session; there must be none.
    mutating func begin(_ credentials: SessionCredentials, user: User?, due: Date?) {
        session += 1
        set(credentials, due: due)
        givenGeneration = generation
        turn(to: .loggedIn(user))
    }

    /// Replaces the user of the session.
    mutating func set(_ user: User) {
        turn(to: .loggedIn(user))
    }

    /// Replaces the credentials within the session; whoever waits for new ones gets these.
    mutating func renew(
        _ credentials: SessionCredentials,
        due: Date?,
        at clock: any TimeSource,
        isGiven: Bool = false
    ) {
        var credentials = credentials
        credentials.partition = self.credentials?.partition
        set(credentials, due: due)
        if isGiven { givenGeneration = generation }
        guard let grant = grant(at: clock) else { return }
        land(with: .renewed(grant))
    }

    /// Ends the session, if there is one; whoever waits for its next token is told so.
    mutating func end(as state: SessionState<User>, renewal: SessionRenewal = .ended) {
        if isLoggedIn {
            session += 1
            credentials = nil
            dueDate = nil
            failure = nil
            land(with: renewal)
        }
        switch (self.state, state) {
        case (.loggedOut, .loggedOut), (.expired, .expired): break
        default: turn(to: state)
        }
    }

    private mutating func set(_ credentials: SessionCredentials, due: Date?) {
        generation += 1
        self.credentials = credentials
        dueDate = due
        failure = nil
    }

    private mutating func turn(to state: SessionState<User>) {
        self.state = state
        version += 1
        effects.listeners = Array(listeners.values)
    }

    // MARK: Renewals

    /// Begins a flight, if there is none.
    ///
    /// - Returns: The flight's number, if it is to be started.
    mutating func beginFlight() -> Int? {
        guard flight == nil else { return nil }
        let number = makeID()
        flight = Flight(id: number)
        return number
    }

    /// Whether a call waits for the flight, since its token is of no use any more.
    var isFlightAwaited: Bool { flight.map { !$0.waiters.isEmpty } ?? false }

    /// Lets a call wait for the flight.
    mutating func wait(_ id: Int, _ waiter: CheckedContinuation<SessionRenewal, Never>) {
        flight?.waiters[id] = waiter
    }

    /// Takes out a call that waits no longer; the flight goes on.
    mutating func leave(_ id: Int, with error: RepositoryError) {
        guard let waiter = flight?.waiters.removeValue(forKey: id) else { return }
        effects.resumptions.append((waiter, .failed(error)))
    }

    /// Remembers what makes the flight, or gives it back if the flight is over already.
    mutating func attach(_ tasks: [Task<Void, Never>], to id: Int) {
        if flight?.id == id {
            flight?.tasks = tasks
        } else {
            effects.cancellations += tasks
        }
    }

    /// Ends the flight without new credentials, which may be had later; or only the wait for it, if it goes on.
    mutating func fail(with error: RepositoryError, until end: Duration, goesOn: Bool = false) {
        failure = Failure(generation: generation, end: end, error: error)
        if goesOn { release(with: .failed(error)) } else { land(with: .failed(error)) }
    }

    /// Ends the flight, if there is one.
    private mutating func land(with renewal: SessionRenewal) {
        release(with: renewal)
        effects.cancellations += flight?.tasks ?? []
        flight = nil
    }

    /// Ends the wait of all who wait for the flight.
    private mutating func release(with renewal: SessionRenewal) {
        guard let waiters = flight?.waiters.values else { return }
        flight?.waiters = [:]
        effects.resumptions += waiters.map { ($0, renewal) }
    }
}
