import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import Testing

/// Event streams over real sockets and many connections; time is turned by hand.
@Suite("An event stream", .timeLimit(.minutes(1)))
struct EventStreamTests {
    private let clock = ManualClock()

    private func repository(_ server: ScriptedServer) -> AbstractRepository {
        AbstractRepository(configuration: server.configuration { $0.time = clock })
    }

    private static func stream(_ text: String) -> ScriptedServer.Answer {
        .data(Data(text.utf8), contentType: "text/event-stream; charset=utf-8")
    }

    @Test("case 22: goes on behind the last event, after the pause the server named")
    func reconnects() async throws {
        let server = try ScriptedServer(
            Self.stream("retry: 250\nid: 7\ndata: a\n\nid: 8\ndata: cut off"),
            Self.stream("data: b\n\n"),
            .status(204)
        )
        defer { server.stop() }
        let events = repository(server).events(.get("changes"))
        let reader = Task {
            var read: [ServerSentEvent] = []
            for try await event in events { read.append(event) }
            return read
        }
        for _ in 0..<2 {
            try await clock.sleepers(count: 1)
            #expect(clock.nextDeadline.map { $0 - clock.now } == .milliseconds(250))
            clock.advanceToNextSleeper()
        }

        #expect(try await reader.value == [.init(data: "a", id: "7"), .init(data: "b", id: "7")])
        #expect(server.requests.map { $0.headers["Last-Event-ID"] } == [nil, "7", "7"])
        #expect(server.requests.allSatisfy { $0.headers["Accept"] == "text/event-stream" })
        #expect(server.requests.allSatisfy { $0.headers["Cache-Control"] == "no-store" })
    }

    @Test("case 22: bears a lost connection and a server that is down, and begins with three seconds")
    func bearsFaults() async throws {
        let server = try ScriptedServer(
            .status(500).closing(),
            .hangUp,
            Self.stream("data: a\n\n").claimingLength(100),
            Self.stream("data: b\n\n")
        )
        defer { server.stop() }
        let events = repository(server).events(.get("changes"))
        let reader = Task {
            var read: [String] = []
            for try await event in events {
                read.append(event.data)
                if event.data == "b" { break }
            }
            return read
        }
        var waits: [Duration] = []
        for _ in 0..<3 {
            try await clock.sleepers(count: 1)
            waits.append(try #require(clock.nextDeadline) - clock.now)
            clock.advanceToNextSleeper()
        }

        #expect(try await reader.value == ["a", "b"])
        #expect(waits == [.seconds(3), .seconds(6), .seconds(3)], "an answer that came begins anew")
    }

    @Test(
        "ends when the server refuses, or when its answer is no event stream",
        arguments: [
            (.text("<html>"), "invalidResponse"), (.status(202), "invalidResponse"), (.status(404), "requestError"),
            (.status(401), "requestError"),
        ] as [(ScriptedServer.Answer, String)]
    )
    func refused(answer: ScriptedServer.Answer, expected: String) async throws {
        let server = try ScriptedServer(answer)
        defer { server.stop() }
        var events = repository(server).events(.get("changes")).makeAsyncIterator()

        #expect(await failure { _ = try await events.next() }?.label == expected)
        #expect(try await events.next() == nil, "it is over")
        #expect(server.requests.count == 1)
    }

    @Test("ends with the error of the eleventh attempt that did not get through, after longer and longer pauses")
    func givesUp() async throws {
        let server = try ScriptedServer { _ in .status(503) }
        defer { server.stop() }
        let events = repository(server).events(.get("changes"))
        let reader = Task { for try await _ in events {} }
        var waits: [Duration] = []
        for _ in 0..<10 {
            try await clock.sleepers(count: 1)
            waits.append(try #require(clock.nextDeadline) - clock.now)
            clock.advanceToNextSleeper()
        }

        #expect(await failure { try await reader.value }?.label == "requestError")
        #expect(server.requests.count == 11)
        #expect(waits == [3, 6, 12, 24, 48, 60, 60, 60, 60, 60].map { Duration.seconds($0) })
    }

    @Test("does not tire of a server that has nothing to tell for days")
    func staysQuiet() async throws {
        let server = try ScriptedServer { _ in Self.stream(": nothing\n\n") }
        defer { server.stop() }
        let events = repository(server).events(.get("changes"))
        let reader = Task { for try await _ in events {} }
        for _ in 0..<50 {
            try await clock.sleepers(count: 1)
            #expect(clock.nextDeadline.map { $0 - clock.now } == .seconds(3))
            clock.advanceToNextSleeper()
        }

        _ = try await server.request(50)
        reader.cancel()
        #expect(await failure { try await reader.value }?.label == "cancelled")
    }

    @Test("ends with its task, in a pause and while it waits for the next event")
    func cancelled() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(
            .hangUp,
            Self.stream("data: a\n\ndata: b\n\n").held(until: gate, afterBodyBytes: 9)
        )
        defer { server.stop() }
        let events = repository(server).events(.get("changes"))

        let first = Task { for try await _ in events {} }
        try await clock.sleepers(count: 1)
        first.cancel()
        #expect(await failure { try await first.value }?.label == "cancelled")

        let second = Task { for try await _ in events {} }
        try await gate.waiters(count: 1)
        second.cancel()
        #expect(await failure { try await second.value }?.label == "cancelled")
        try await server.closedConnections(count: 2)
        #expect(server.requests.count == 2)
    }

    @Test("asks nothing before the first event is wanted")
    func asksLate() async throws {
        let server = try ScriptedServer()
        defer { server.stop() }
        _ = repository(server).events(.get("changes")).makeAsyncIterator()
        #expect(server.requests.isEmpty)
    }
}
