import FoundationEssentials
import Glibc
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

/// Cancelling at each moment of an exchange.
@Suite(.timeLimit(.minutes(10)))
struct CancellationTests {
    @Test("case 21: ends before it starts in a cancelled task")
    func cancelledBefore() async throws {
        let server = try ScriptedServer { _ in .text("ok") }
        let url = server.baseURL.absoluteString + "/"
        let gate = ScriptedServer.Gate()
        let task = Task {
            while !gate.isOpen { await Task.yield() }
            return try await Transport().perform(TransportRequest(url: url))
        }
        task.cancel()
        gate.open()
        #expect(await outcome(task) == .cancelled)
        #expect(server.requests.isEmpty)
    }

    @Test("case 21: ends when it is cancelled between the look at its task and the loop")
    func cancelledOnTheWay() async throws {
        let server = try ScriptedServer { _ in .never }
        let url = server.baseURL.absoluteString + "/"
        let task = Task {
            var request = TransportRequest(url: url)
            request.limits.idleTimeout = .seconds(5)
            return try await Transport().perform(request, clock: CancellingClock())
        }
        #expect(await outcome(task) == .cancelled)
        #expect(server.requests.isEmpty)
    }

    @Test("case 21: ends while the answer is awaited, and gives the connection up")
    func cancelledAwaitingHead() async throws {
        let server = try ScriptedServer(.never)
        let transport = Transport.alone()
        let task = Task { try await transport.perform(TransportRequest(url: server.baseURL.absoluteString + "/")) }
        _ = try await server.request(0)
        task.cancel()
        #expect(await outcome(task) == .cancelled)
        try await server.closedConnections(count: 1)
        #expect(await transport.counts() == TransportCounts())
    }

    @Test("case 21: ends in the middle of a body")
    func cancelledInBody() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(.generated(byteCount: 1 << 20).held(until: gate, afterBodyBytes: 1000))
        let task = Task { try await Transport().perform(TransportRequest(url: server.baseURL.absoluteString + "/")) }
        try await gate.waiters(count: 1)
        task.cancel()
        #expect(await outcome(task) == .cancelled)
        try await server.closedConnections(count: 1)
    }

    @Test("case 21: ends while it waits for a place, without a connection")
    func cancelledWaiting() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer { _ in .text("ok").held(until: gate) }
        let transport = Transport.alone()
        var request = TransportRequest(url: server.baseURL.absoluteString + "/")
        request.limits.places.connections = 1
        let first = Task { [request] in try await transport.perform(request) }
        try await gate.waiters(count: 1)
        let second = Task { [request] in try await transport.perform(request) }
        while await transport.counts().waiting == 0 { await Task.yield() }
        second.cancel()
        #expect(await outcome(second) == .cancelled)
        #expect(await transport.counts().waiting == 0)
        gate.open()
        #expect(await outcome(first) == nil)
        #expect(server.requests.count == 1)
    }

    @Test("case 21: leaves nothing behind after ten thousand cancelled exchanges")
    func cancelsManyTimes() async throws {
        let server = try ScriptedServer { request in request.target.hasSuffix("0") ? .never : .text("ok") }
        let transport = Transport.alone()
        let base = server.baseURL.absoluteString
        // The first exchange opens what stays open: the thread, its wake-up sockets, a connection.
        _ = try await transport.perform(TransportRequest(url: base + "/1"))
        let before = try ProcessTable()
        let probe = WeakProbes()

        var cancelled = 0
        // script/soak makes ten times as many. Some answers win the race; more rounds make up for them.
        let wanted = ProcessInfo.processInfo.environment["MASTHEAD_SOAK"] == "1" ? 100_000 : 10_000
        for round in 0..<wanted / 10 where cancelled < wanted {
            cancelled += await withTaskGroup(of: Bool.self) { group in
                for index in 0..<100 {
                    let number = round * 100 + index
                    let token = probe.makeToken()
                    group.addTask {
                        defer { withExtendedLifetime(token) {} }
                        let request = TransportRequest(url: "\(base)/\(number)")
                        do throws(TransportError) {
                            _ = try await transport.perform(request, clock: TokenClock(token: token))
                            return false
                        } catch {
                            return error == .cancelled
                        }
                    }
                    // Spreads the cancellations over every stage of an exchange.
                    if index % 10 == 9 { for _ in 0..<(number % 7) { await Task.yield() } }
                }
                group.cancelAll()
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
        }

        let counts = await transport.counts()
        #expect(counts.active == 0)
        #expect(counts.waiting == 0)
        #expect(cancelled >= 10_000, "the race was too easily won by the answers: \(cancelled)")
        #expect(probe.alive == 0, "what an exchange held is still held")
        let after = try ProcessTable()
        // Connections kept for reuse may differ by the few that are allowed to one host.
        #expect(after.descriptors <= before.descriptors + 2 * 6 + ProcessTable.slack)
        #expect(after.threads <= before.threads + ProcessTable.slack)
        #expect(try await transport.perform(TransportRequest(url: base + "/1")).status == 200)
    }
}

/// A clock that cancels its task when the exchange asks to be told of turns: it has looked at the task by then, and has
/// not handed anything to the loop.
private struct CancellingClock: TransportClock {
    var now: Duration { SystemTransportClock().now }

    func onTurn(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        withUnsafeCurrentTask { $0?.cancel() }
        return {}
    }
}

/// A clock that keeps a token alive for as long as its exchange holds it.
private struct TokenClock: TransportClock {
    let token: WeakProbes.Token

    var now: Duration { SystemTransportClock().now }

    func onTurn(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        { [token] in withExtendedLifetime(token) {} }
    }
}
