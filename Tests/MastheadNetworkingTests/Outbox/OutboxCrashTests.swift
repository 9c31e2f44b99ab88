import FoundationEssentials
import Glibc
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

/// What becomes of writes when the process is killed: each life is a process of its own, the server is the test's.
@Suite("A process that is killed", .timeLimit(.minutes(2)))
struct OutboxCrashTests {
    /// Where a life ends.
    enum End: Codable, Sendable, Hashable {
        /// When all is enqueued and nothing sent.
        case enqueued
        /// When a write is about to be sent.
        case beforeSending(Int)
        /// When the server has answered, and nobody has been told.
        case answered(Int)
        /// When the value is being settled: after the answer, before the write is removed.
        case committing(Int)
        /// When a write has just been parked.
        case parked
        /// After so many microseconds.
        case after(UInt32)
    }

    @Test(
        "loses no write, does none twice, and keeps the order: the next life sends what is left, with the same keys",
        arguments: [
            .enqueued, .beforeSending(0), .beforeSending(3), .answered(0), .answered(4), .committing(1), .committing(5),
            .parked, .after(0), .after(1_000), .after(5_000), .after(10_000), .after(15_000), .after(25_000),
        ] as [End]
    )
    func killed(end: End) async throws {
        let folder = try TestFolder()
        let ledger = Lock(ServerLedger())
        let server = try ScriptedServer { request in
            ledger.withLock { $0.answer(request) }
        }
        defer { server.stop() }
        let (port, place) = (server.port, folder.path("outbox"))

        await #expect(processExitsWith: .signal(SIGKILL)) {
            [port = port as Int, place = place as String, end = end as End] in
            await OutboxLife(port: port, place: place, end: end).run()
        }

        let last = OutboxLife(port: port, place: place, end: nil)
        let outbox = try await last.open()
        let drain = await outbox.drain()
        #expect(drain.failure == nil && drain.left == (ledger.withLock { $0.refused.isEmpty } ? 0 : 1))

        let result = ledger.withLock { $0 }
        #expect(result.keys.values.allSatisfy { $0.count == 1 }, "one key for each write: \(result.keys)")
        #expect(result.acknowledged.isSubset(of: result.applied.union(result.refused)), "what was kept was done")
        for lane in ["a", "b"] {
            let done = result.order.filter { $0.hasPrefix(lane) }
            #expect(done == done.sorted(), "each lane in order")
        }
        #expect(result.order.count == Set(result.order).count, "done once")
        if case .after = end {} else { #expect(result.applied.count == OutboxLife.writes.count - 1) }
    }
}

/// What the server has seen and done, by the texts of the writes.
struct ServerLedger: Sendable {
    var keys: [String: Set<String>] = [:]
    var applied: Set<String> = []
    var order: [String] = []
    var refused: Set<String> = []
    var acknowledged: Set<String> = []

    mutating func answer(_ request: ScriptedServer.ReceivedRequest) -> ScriptedServer.Answer {
        let text = String(decoding: request.body, as: UTF8.self)
        guard request.path == "/texts" else {
            acknowledged.formUnion(text.split(separator: " ").map(String.init))
            return .status(204)
        }
        keys[text, default: []].insert(request.headers["Idempotency-Key"] ?? "none")
        guard text != "c0" else {
            refused.insert(text)
            return .status(422)
        }
        if applied.insert(text).inserted { order.append(text) }
        return .status(201)
    }
}

/// One life of an app with an outbox.
struct OutboxLife: Sendable {
    static let writes = (0..<4).flatMap { ["a\($0)", "b\($0)"] } + ["c0"]

    let port: Int
    let place: String
    let end: OutboxCrashTests.End?

    private var configuration: NetworkingConfiguration {
        NetworkingConfiguration(domainURL: "127.0.0.1", port: port) { $0.useSecureConnection = false }
    }

    private func die() {
        kill(getpid(), SIGKILL)
        pause()
    }

    /// Has the system end the process, wherever it is then.
    private func dieLater(microseconds: UInt32) {
        var event = sigevent()
        event.sigev_notify = Int32(SIGEV_SIGNAL)
        event.sigev_signo = SIGKILL
        var timer: timer_t?
        timer_create(CLOCK_MONOTONIC, &event, &timer)
        var time = itimerspec()
        time.it_value.tv_nsec = 1 + 1000 * Int(microseconds)
        timer_settime(timer, 0, &time, nil)
    }

    func open() async throws -> Outbox {
        let repository = AbstractRepository(configuration: configuration, executor: Mortal(end: end, die: die))
        let committed = Lock(0)
        let hooks = OptimisticHooks(
            onCommit: { _, _, _ in
                let number = committed.withLock { number in
                    defer { number += 1 }
                    return number
                }
                if end == .committing(number) { die() }
            },
            onRollback: { _, _ in if end == .parked { die() } }
        )
        return try await Outbox.open(in: place, for: "ada", sending: repository, showing: hooks).get()
    }

    /// Enqueues, tells the server that it has, and sends until it is killed.
    func run() async {
        alarm(50)
        do {
            let outbox = try await open()
            if case .after(let time) = end {
                dieLater(microseconds: time)
            }
            let tell = AbstractRepository(configuration: configuration)
            for half in [OutboxLife.writes.prefix(5), OutboxLife.writes.dropFirst(5)] {
                try await outbox.enqueue(half.map { .text($0, in: String($0.prefix(1))).showing($0, for: $0) }).get()
                _ = await tell.perform(.post("kept", body: .text(half.joined(separator: " "))) as Request<Void>)
            }
            if end == .enqueued { die() }
            await outbox.drain()
            // The one that is to end it after a time may still be under way.
            if case .after = end { while true { pause() } }
        } catch {
            return
        }
    }

    /// Ends the process at the exchange it is told to.
    private final class Mortal: RequestExecutor {
        private let end: OutboxCrashTests.End?
        private let die: @Sendable () -> Void
        private let number = Lock(0)
        private let executor = LibcurlExecutor()

        init(end: OutboxCrashTests.End?, die: @escaping @Sendable () -> Void) {
            self.end = end
            self.die = die
        }

        func execute(
            _ request: HTTPRequest,
            _ configuration: NetworkingConfiguration
        ) async throws(RepositoryError) -> HTTPResponse {
            let number = number.withLock { number in
                defer { number += 1 }
                return number
            }
            if end == .beforeSending(number) { die() }
            let response = try await executor.execute(request, configuration)
            if end == .answered(number) { die() }
            return response
        }
    }
}
