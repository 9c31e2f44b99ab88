import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

/// Many calls against a server whose tokens end at random, to be run under the thread sanitizer too.
@Suite("1,000 calls with tokens that end at random", .timeLimit(.minutes(5)))
struct RandomExpiryTests {
    /// A server that takes back one token in fifty requests, lets each end after a while, and renews one once.
    private final class Server: TokenRefresher {
        struct Entry: Sendable {
            let id: String
            let token: Int
            let status: Int
            /// The method and the body.
            let content: String
        }

        private struct State {
            var dice: SeededGenerator
            var seen: Set<String> = []
            var revoked: Set<Int> = []
            var expiries: [Int: Duration] = [:]
            var latest = 0
            var log: [Entry] = []
            var renewals: [Int: Int] = [:]
            /// Those that were asked for though the token was neither refused nor about to end.
            var needless: [Int] = []
        }

        /// How long before a token's end a new one may be asked for.
        static let leeway = Duration.seconds(2)

        private let state: Lock<State>
        private let clock: ManualClock

        init(seed: UInt64, clock: ManualClock) {
            state = Lock(State(dice: SeededGenerator(seed: seed)))
            self.clock = clock
        }

        var log: [Entry] { state.withLock { $0.log } }
        var renewals: [Int: Int] { state.withLock { $0.renewals } }
        var needless: [Int] { state.withLock { $0.needless } }
        var latest: Int { state.withLock { $0.latest } }

        /// A number of steps to stand aside for.
        func steps(_ limit: Int) -> Int { state.withLock { Int.random(in: 0..<limit, using: &$0.dice) } }

        /// Lets the first token end some time.
        func credentials(of token: Int) -> SessionCredentials {
            let life = state.withLock { state in
                let life = Int.random(in: 5...60, using: &state.dice)
                state.expiries[token] = clock.now + .seconds(life)
                return life
            }
            return SessionCredentials(
                accessToken: Secret("t\(token)"),
                refreshToken: Secret("r\(token)"),
                expiry: clock.date + Double(life)
            )
        }

        func status(of id: String, authorization: String?, _ method: String, _ body: Data?) -> Int {
            let content = method + String(decoding: body ?? Data(), as: UTF8.self)
            let now = clock.now
            return state.withLock { state in
                guard let token = authorization?.split(separator: "t").last.flatMap({ Int($0) }) else { return 400 }
                // Only what comes for the first time can take a token back: what is sent again has done its part.
                if state.seen.insert(id).inserted, Int.random(in: 0..<50, using: &state.dice) == 0 {
                    state.revoked.insert(token)
                }
                let isOver = state.revoked.contains(token) || state.expiries[token].map { $0 <= now } ?? true
                let entry = Entry(id: id, token: token, status: isOver ? 401 : 200, content: content)
                state.log.append(entry)
                return entry.status
            }
        }

        func refresh(_ credentials: SessionCredentials) async throws(TokenRefreshError) -> SessionCredentials {
            for _ in 0..<steps(20) { await Task.yield() }
            let old = Int(credentials.accessToken.value.dropFirst()) ?? -1
            let now = clock.now
            let next: Int? = state.withLock { state in
                state.renewals[old, default: 0] += 1
                let isDue = state.expiries[old].map { $0 - Self.leeway - .milliseconds(1) <= now } ?? false
                if !isDue, !state.log.contains(where: { $0.token == old && $0.status == 401 }) {
                    state.needless.append(old)
                }
                // A refresh token is taken once.
                guard old == state.latest, credentials.refreshToken == Secret("r\(old)") else { return nil }
                state.latest += 1
                return state.latest
            }
            guard let next else { throw .refused }
            return self.credentials(of: next)
        }
    }

    /// Every second one is a POST, whose body must come each time that it is sent.
    private static func isPost(_ id: String) -> Bool { id.utf8.reduce(0) { $0 + Int($1) } % 2 == 0 }

    /// What the server must get of a call.
    private static func content(of id: String) -> String { isPost(id) ? "POSTorder \(id)" : "GET" }

    private static func call(_ repository: ReaderRepository, _ id: String) async -> Result<String, RepositoryError> {
        guard isPost(id) else { return await repository.text("\(id)") }
        return await repository.performRaw(.post("\(id)", body: .text("order \(id)"))).map(\.text)
    }

    @Test(
        "make one renewal for each token that was refused; none is lost, none is done twice",
        arguments: [1, 20_260, 0xFEED] as [UInt64],
        [false, true]
    )
    func renewsOnce(seed: UInt64, overSockets: Bool) async throws {
        let clock = ManualClock()
        let publisher = Server(seed: seed, clock: clock)
        let store = InMemoryTokenStore()
        let session = SessionManager<Reader>(
            store: store,
            refresher: publisher,
            refreshLeeway: Server.leeway,
            refreshTimeout: .seconds(1_000_000),
            time: clock
        )
        try await session.login(Reader(name: "Ada"), credentials: publisher.credentials(of: 0))
        let scripted: ScriptedServer? =
            if overSockets {
                try ScriptedServer { request in
                    let id = String(request.target.dropFirst())
                    let authorization = request.headers["Authorization"]
                    let status = publisher.status(of: id, authorization: authorization, request.method, request.body)
                    return .text(id, status: status)
                }
            } else {
                nil
            }
        defer { scripted?.stop() }
        let stub = StubExecutor { request in
            for _ in 0..<publisher.steps(8) { await Task.yield() }
            let id = request.url.lastPathComponent
            let (authorization, method) = (request.headers["Authorization"], request.method.rawValue)
            return .text(
                id,
                status: publisher.status(of: id, authorization: authorization, method, request.body?.data)
            )
        }
        let repository = ReaderRepository(
            configuration: scripted?.configuration { $0.totalTimeout = nil } ?? .test { $0.time = clock },
            session: session,
            executor: overSockets ? LibcurlExecutor() : stub
        )

        // Forty at a time, each in a task of its own.
        let results = await withTaskGroup(of: [(String, Result<String, RepositoryError>)].self) { group in
            for lane in 0..<40 {
                group.addTask {
                    var results: [(String, Result<String, RepositoryError>)] = []
                    for number in 0..<25 {
                        for _ in 0..<publisher.steps(20) { await Task.yield() }
                        if publisher.steps(4) == 0 { clock.advance(by: .milliseconds(publisher.steps(500))) }
                        let id = "\(lane)-\(number)"
                        results.append((id, await Task { await Self.call(repository, id) }.value))
                    }
                    return results
                }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }

        let log = Dictionary(grouping: publisher.log, by: \.id)
        for (id, entries) in log {
            #expect(entries.allSatisfy { $0.content == Self.content(of: id) }, "each time it is sent whole")
            #expect(entries.count { $0.status == 200 } <= 1, "\(id) was done twice")
        }
        var failures = 0
        for (id, result) in results {
            let statuses = log[id]?.map(\.status) ?? []
            switch result {
            case .success(let body):
                #expect(body == id)
                #expect(statuses == [200] || statuses == [401, 200], "\(id): \(statuses)")
            case .failure(.unauthenticatedSession):
                failures += 1
                #expect(statuses == [401, 401], "\(id): \(statuses)")
                #expect(Set(log[id]?.map(\.token) ?? []).count == 2, "\(id) was sent twice with one token")
            case .failure(let error): Issue.record("\(id): \(error)")
            }
        }
        #expect(results.count == 1000 && log.count == 1000)
        // Two tokens taken back within one call are rare.
        #expect(failures < 100)
        let refused = Set(publisher.log.filter { $0.status == 401 }.map(\.token)).subtracting([publisher.latest])
        #expect(refused.count >= 3, "the run means something")
        for token in refused { #expect(publisher.renewals[token] == 1, "token \(token)") }
        #expect(publisher.renewals.values.allSatisfy { $0 == 1 })
        #expect(publisher.needless.isEmpty, "a late refusal of an old token renews no new one")
        #expect(session.isLoggedIn && session.sessionToken == Secret("t\(publisher.latest)"))
        await until { store.credentials?.accessToken == session.sessionToken }
    }
}
