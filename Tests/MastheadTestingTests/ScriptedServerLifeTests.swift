import Foundation
import MastheadLock
import MastheadTesting
import Testing

/// Alone, since it counts the process's threads and descriptors.
@Suite("ScriptedServer's life", .serialized, .timeLimit(.minutes(1)))
struct ScriptedServerLifeTests {
    @Test("stops whatever its connections are doing, and leaves nothing open")
    func stops() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(routes: [
            "GET /held": .text("late").held(until: gate),
            "GET /delayed": .text("late").delayed(by: .seconds(3600)),
            "GET /never": .never,
            "GET /trickle": .text("late").trickling(bytes: 1, every: .seconds(3600)),
            "GET /stuck": .generated(byteCount: 1 << 40),
        ])
        let targets = ["/held", "/delayed", "/never", "/trickle", "/stuck"]
        let clients = try targets.map { target in
            try RawClient(port: server.port).send("GET \(target) HTTP/1.1\r\n\r\n")
        }
        let idle = try RawClient(port: server.port)
        let halfway = try RawClient(port: server.port).send("GET /half")
        _ = try await server.request(4)

        server.stop()
        server.stop()

        #expect(server.openConnectionCount == 0)
        #expect(server.requests.count == 5)
        for client in clients + [idle, halfway] { _ = await client.countToEnd() }
        #expect(throws: RawClient.Failure.self) { try RawClient(port: server.port) }
    }

    @Test("ends the waits of those who wait for what will not come")
    func endsWaits() async throws {
        let server = try ScriptedServer()
        let request = Task { try await server.request(0) }
        let closed = Task { try await server.closedConnections(count: 1) }
        server.stop()
        await #expect(throws: ScriptedServerError.stopped) { try await request.value }
        await #expect(throws: ScriptedServerError.stopped) { try await closed.value }
        await #expect(throws: ScriptedServerError.stopped) { try await server.request(0) }
    }

    @Test("gives up waiting when the task is cancelled")
    func cancelsWaits() async throws {
        let server = try ScriptedServer()
        defer { server.stop() }
        let gate = ScriptedServer.Gate()
        let waits = Task {
            await #expect(throws: CancellationError.self) { try await server.request(0) }
            await #expect(throws: CancellationError.self) { try await gate.waiters(count: 1) }
        }
        waits.cancel()
        await waits.value
    }

    @Test("stops at the end of its life")
    func deinits() async throws {
        var server: ScriptedServer? = try ScriptedServer(.text("whole"))
        let port = try #require(server?.port)
        let client = try RawClient(port: port)
        _ = await client.send("GET / HTTP/1.1\r\n\r\n").read(through: "whole")
        server = nil
        #expect(await client.countToEnd() == 0)
        #expect(throws: RawClient.Failure.self) { try RawClient(port: port) }
    }

    @Test("can be stopped by its own closure")
    func stopsItself() async throws {
        let box = Lock<ScriptedServer?>(nil)
        let server = try ScriptedServer { _ in
            box.withLock { $0 }?.stop()
            return .text("gone")
        }
        box.withLock { $0 = server }
        defer { box.withLock { $0 = nil } }
        _ = await (try RawClient(port: server.port)).send("GET / HTTP/1.1\r\n\r\n").readToEnd()
        await #expect(throws: ScriptedServerError.stopped) { try await server.request(1) }
    }

    @Test("serves more connections than may be open at once, one after the other")
    func boundsConnections() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(maximumConnections: 2) { _ in .text("x").closing().held(until: gate) }
        defer { server.stop() }
        let clients = try (0..<20).map { _ in try RawClient(port: server.port).send("GET / HTTP/1.1\r\n\r\n") }
        try await gate.waiters(count: 2)
        #expect(server.connectionCount == 2)
        gate.open()
        for client in clients { #expect(await client.readToEnd().bytes.text.afterHead == "x") }
        #expect(server.connectionCount == 20)
    }

    @Test("leaves no descriptor and no thread behind")
    func leavesNothing() async throws {
        func serve() async throws {
            let gate = ScriptedServer.Gate()
            let server = try ScriptedServer { _ in .text("x").held(until: gate) }
            defer { server.stop() }
            let clients = try (0..<2).map { _ in try RawClient(port: server.port).send("GET / HTTP/1.1\r\n\r\n") }
            try await gate.waiters(count: 2)
            if Bool.random() { gate.open() }
            server.stop()
            for client in clients { _ = await client.countToEnd() }
        }
        let before = try open()
        for _ in 0..<800 { try await serve() }
        let after = try open()
        // Other suites run beside this one and have servers and files of their own: one left by each server is more.
        #expect(after.descriptors - before.descriptors < 600)
        #expect(after.threads - before.threads < 600)
    }

    private func open() throws -> (descriptors: Int, threads: Int) {
        (
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count,
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
        )
    }
}
