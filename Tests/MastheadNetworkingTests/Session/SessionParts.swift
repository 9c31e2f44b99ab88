import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

/// A user of the tests.
struct Reader: AuthenticableUser, Decodable, Equatable {
    var name: String
    var token: String?

    var sessionToken: Secret? { token.map { Secret($0) } }
}

/// Asks for the user of its session at `/v2/me`.
final class ReaderRepository: AbstractRepository, CurrentUserFetcher, @unchecked Sendable {
    func currentUser() async -> Result<Reader, RepositoryError> { await perform(.get("me")) }

    func text(_ path: RequestPath = "volumes", timeout: Duration? = nil) async -> Result<String, RepositoryError> {
        await performRaw(.get(path, timeout: timeout)).map(\.text)
    }
}

/// Gives the user that it is told to, or fails, when something else has happened.
struct LateFetcher: CurrentUserFetcher {
    let outcome: Result<Reader, RepositoryError>
    var meanwhile: @Sendable () async throws -> Void = {}

    func currentUser() async -> Result<Reader, RepositoryError> {
        do { try await meanwhile() } catch { Issue.record(error) }
        return outcome
    }
}

extension SessionState<Reader> {
    /// Whether this user is logged in, or with `nil` one who is not known yet.
    func isLoggedIn(_ reader: Reader?) -> Bool {
        if case .loggedIn(let user) = self { user == reader } else { false }
    }
}

/// A store that fails when it is told to, and remembers what it was asked.
final class RecordingStore: TokenStore {
    private struct State {
        var credentials: SessionCredentials?
        var failure: TokenStoreError?
        var log: [String] = []
    }

    private let state: Lock<State>
    /// Lets a load through that waits; open from the start unless it is made closed.
    let gate = Milestones()
    let arrivals = Milestones()

    init(_ credentials: SessionCredentials? = nil, isClosed: Bool = false) {
        state = Lock(State(credentials: credentials))
        if !isClosed { gate.change(by: 1) }
    }

    var credentials: SessionCredentials? { state.withLock { $0.credentials } }
    var log: [String] { state.withLock { $0.log } }

    func fail(with error: TokenStoreError?) {
        state.withLock { $0.failure = error }
    }

    func load() async throws(TokenStoreError) -> SessionCredentials? {
        arrivals.change(by: 1)
        _ = try? await gate.reach(1)
        try enter("load")
        return credentials
    }

    func save(_ credentials: SessionCredentials) async throws(TokenStoreError) {
        try enter("save \(credentials.accessToken.value)")
        state.withLock { $0.credentials = credentials }
    }

    func remove() async throws(TokenStoreError) {
        try enter("remove")
        state.withLock { $0.credentials = nil }
    }

    private func enter(_ name: String) throws(TokenStoreError) {
        let failure = state.withLock { state in
            state.log.append(name)
            return state.failure
        }
        if let failure { throw failure }
    }
}

/// Answers when it is told to, and knows how many wait for it.
final class HeldRefresher: TokenRefresher {
    typealias Outcome = Result<SessionCredentials, TokenRefreshError>

    private struct State {
        var asked: [SessionCredentials] = []
        var waiting: [Int: CheckedContinuation<Outcome, Never>] = [:]
    }

    private let state = Lock(State())
    private let arrivals = Milestones()
    private let cancellations = Milestones()

    /// The credentials it was asked to replace, in order.
    var asked: [SessionCredentials] { state.withLock { $0.asked } }

    /// How many of its calls were cancelled.
    var cancelledCount: Int { cancellations.count }

    func refresh(_ credentials: SessionCredentials) async throws(TokenRefreshError) -> SessionCredentials {
        let id = state.withLock { state in
            state.asked.append(credentials)
            return state.asked.count
        }
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if Task.isCancelled { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if isCancelled { continuation.resume(returning: .failure(.failed(.cancelled))) }
                arrivals.change(by: 1)
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: .failure(.failed(.cancelled)))
            cancellations.change(by: 1)
        }.get()
    }

    /// Waits until it has been asked so many times.
    func calls(_ count: Int) async throws {
        _ = try await arrivals.reach(count)
    }

    /// Waits until so many of its calls were cancelled.
    func cancelled(_ count: Int) async throws {
        _ = try await cancellations.reach(count)
    }

    /// Ends every call that waits.
    func answer(_ outcome: Outcome) {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }

    func answer(_ token: Secret) {
        answer(.success(SessionCredentials(accessToken: token, refreshToken: "again")))
    }
}

extension EventLog {
    /// How many calls have begun to wait for a token.
    var renewing: Int { events.count { if case .renewing = $0.kind { true } else { false } } }
}

/// Yields until it is so.
func until(_ condition: () -> Bool) async {
    while !condition() { await Task.yield() }
}

/// What a transition threw.
func sessionError(_ work: () async throws(SessionError) -> Void) async -> SessionError? {
    do throws(SessionError) {
        try await work()
        return nil
    } catch {
        return error
    }
}
