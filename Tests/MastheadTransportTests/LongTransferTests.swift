import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

/// Transfers of two hours, by the clock of the test.
@Suite("A long transfer", .timeLimit(.minutes(2)))
struct LongTransferTests {
    private static let step = Duration.seconds(20)
    /// Two hours and a little.
    private static let steps = 361

    private func configuration(
        _ server: ScriptedServer,
        _ clock: ManualClock,
        total: Duration? = nil
    ) -> NetworkingConfiguration {
        server.configuration {
            $0.timeout = .seconds(30)
            $0.totalTimeout = total
            $0.time = clock
        }
    }

    /// Waits until the loop has seen all that a server has written or read so far.
    private func settle() async {
        // A pass answers what it is asked before it looks at its sockets.
        for _ in 0..<2 { _ = await Transport().counts() }
    }

    /// Lets the steps of a body through, one every 20 seconds.
    private func turn(_ clock: ManualClock, _ gate: ScriptedServer.Gate, steps: Int) async throws {
        for _ in 0..<steps {
            try await gate.waiters(count: 1)
            await settle()
            clock.advance(by: Self.step)
            gate.letThrough()
        }
    }

    @Test("case 24: a download that trickles for two hours is no time-out")
    func downloads() async throws {
        let (clock, gate) = (ManualClock(), ScriptedServer.Gate())
        let body = String(repeating: "x", count: Self.steps)
        let server = try ScriptedServer(.text(body).trickling(bytes: 1, behind: gate))
        let repository = AbstractRepository(configuration: configuration(server, clock))
        let call = Task { await repository.performRaw(.get("volume")) }
        try await turn(clock, gate, steps: Self.steps)
        #expect(try await call.value.get().body == Data(body.utf8))
        #expect(clock.now > .seconds(2 * 60 * 60))
    }

    @Test("case 24: an upload that a slow server takes for minutes is no time-out, if some of it leaves now and then")
    func uploads() async throws {
        let (clock, gate, sent) = (ManualClock(), ScriptedServer.Gate(), Lock(0))
        // Far more than the buffers of the connection hold.
        let content = Data(repeating: 1, count: 64 << 20)
        let server = try ScriptedServer(
            .text("taken").uploadTrickling(bytes: 1 << 20, behind: gate).uploadKept(bytes: 0)
        )
        let repository = AbstractRepository(configuration: configuration(server, clock))
        let body = RequestBody.data(content, contentType: nil).onProgress { step in
            sent.withLock { $0 = step.completed }
        }
        let call = Task { await repository.performRaw(.put("volume", body: body)) }
        for _ in 0..<6 {
            let before = sent.withLock { $0 }
            while sent.withLock({ $0 }) == before {
                try await gate.waiters(count: 1)
                gate.letThrough()
                await settle()
            }
            clock.advance(by: Self.step)
        }
        gate.open()
        #expect(try await call.value.get().body == Data("taken".utf8))
        #expect(server.requests.map(\.bodyLength) == [content.count])
        #expect(clock.now == Self.step * 6)
    }

    @Test("case 24: a total time-out ends a trickle when it is set, and not before")
    func endsTotal() async throws {
        let (clock, gate) = (ManualClock(), ScriptedServer.Gate())
        let body = String(repeating: "x", count: Self.steps)
        let server = try ScriptedServer(.text(body).trickling(bytes: 1, behind: gate))
        let repository = AbstractRepository(configuration: configuration(server, clock, total: .seconds(3600)))
        let call = Task { await repository.performRaw(.get("volume")) }
        try await turn(clock, gate, steps: 179)
        try await gate.waiters(count: 1)
        await settle()
        #expect(server.openConnectionCount == 1)
        clock.advance(by: Self.step)
        await expect(.total, of: call)
    }

    @Test("case 24: a stall of 31 seconds is a time-out, one of 29 is not", arguments: [true, false])
    func endsStall(isUpload: Bool) async throws {
        let (clock, gate) = (ManualClock(), ScriptedServer.Gate())
        let answer = ScriptedServer.Answer.text("abcd")
        let server = try ScriptedServer(
            isUpload
                ? answer.uploadTrickling(bytes: 1, behind: gate) : answer.trickling(bytes: 1, behind: gate)
        )
        let repository = AbstractRepository(configuration: configuration(server, clock))
        let call = Task {
            await repository.performRaw(isUpload ? .put("a", body: .text("abcd")) : .get("a"))
        }
        try await gate.waiters(count: 1)
        await settle()
        clock.advance(by: .seconds(29))
        await settle()
        #expect(server.openConnectionCount == 1)
        // A byte of the answer begins the time anew; one that the server takes of the request is nothing to the client.
        if !isUpload {
            gate.letThrough()
            try await gate.waiters(count: 1)
            await settle()
            clock.advance(by: .seconds(29))
            await settle()
            #expect(server.openConnectionCount == 1)
        }
        clock.advance(by: .seconds(2))
        await expect(.idle, of: call)
        try await server.closedConnections(count: 1)
    }

    private func expect(_ kind: TimeoutKind, of call: Task<Result<HTTPResponse, RepositoryError>, Never>) async {
        guard case .failure(.timeout(kind)) = await call.value else {
            Issue.record("\(await call.value)")
            return
        }
    }
}
