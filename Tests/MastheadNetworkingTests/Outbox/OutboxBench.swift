import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

/// A folder, a clock, and a server in memory that does each thing once, whatever it is asked.
final class OutboxBench: Sendable {
    let folder: TestFolder
    let clock = ManualClock()
    let server: ClosureExecutor
    let configuration: NetworkingConfiguration

    init(_ answer: @escaping ClosureExecutor.Answer = { _ in .answer(201) }) throws {
        folder = try TestFolder()
        server = ClosureExecutor(answer)
        configuration = .test { [clock] in
            $0.time = clock
            // Each wait is the longest that it may be.
            $0.randomBits = { .max }
        }
    }

    var place: String { folder.path("outbox") }

    func open(
        for user: String = "ada",
        session: (any RepositorySession)? = nil,
        showing store: (any OptimisticStore)? = nil,
        _ configure: (inout OutboxOptions) -> Void = { _ in }
    ) async throws -> Outbox {
        var options = OutboxOptions()
        configure(&options)
        let repository = AbstractRepository(
            configuration: configuration,
            session: session,
            defaultHeaders: ["X-App": "reader"],
            executor: server
        )
        return try await Outbox.open(in: place, for: user, sending: repository, showing: store, options: options).get()
    }

    /// What the server was asked, by the text of the body.
    var sent: [String] { server.requests.map(\.text) }

    /// Turns the clock each time somebody waits, until the work is over; gives the waits.
    func turning<Output: Sendable>(_ work: @escaping @Sendable () async -> Output) async throws -> (Output, [Duration])
    {
        let waits = Lock<[Duration]>([])
        let turner = Task { [clock] in
            while !Task.isCancelled {
                try await clock.sleepers(count: 1)
                if let next = clock.nextDeadline {
                    let wait = next - clock.now
                    waits.withLock { $0.append(wait) }
                    clock.advance(by: wait)
                }
            }
        }
        let output = await work()
        turner.cancel()
        return (output, waits.withLock { $0 })
    }
}

extension HTTPRequest {
    /// The body as text.
    var text: String { String(decoding: body?.data ?? Data(), as: UTF8.self) }
}

extension OutboxWrite {
    /// A write that is known by its text.
    static func text(_ text: String, in lane: String = "a", after: [OutboxItem.ID] = []) -> OutboxWrite {
        OutboxWrite("text", in: lane, .post("texts", body: .text(text)), after: after)
    }
}

extension Outbox {
    /// The states of all writes, in order.
    func standing() async throws -> [OutboxItem.State] { try await items().get().map(\.state) }
}

/// Remembers what it was told to show.
actor ShownValues: OptimisticStore {
    private(set) var log: [String] = []
    private(set) var shown: [String: String] = [:]
    private var whenCommitted: (@Sendable (OptimisticValue) async -> Void)?

    func whenCommitted(_ work: @escaping @Sendable (OptimisticValue) async -> Void) { whenCommitted = work }

    func restore(_ values: [OptimisticValue]) {
        shown = Dictionary(values.map { ($0.key, Self.text($0)) }) { $1 }
        log.append("restore \(values.map { Self.text($0) })")
    }

    func apply(_ value: OptimisticValue) {
        shown[value.key] = Self.text(value)
        log.append("apply \(Self.text(value))")
    }

    func commit(_ value: OptimisticValue, answer: HTTPResponse, remaining: OptimisticValue?) async {
        shown[value.key] = remaining.map { Self.text($0) }
        log.append("commit \(Self.text(value)) \(answer.text)")
        await whenCommitted?(value)
    }

    func rollBack(_ value: OptimisticValue, remaining: OptimisticValue?) {
        shown[value.key] = remaining.map { Self.text($0) }
        log.append("rollBack \(Self.text(value))")
    }

    private static func text(_ value: OptimisticValue) -> String { (try? value.decode(String.self)) ?? "?" }
}
