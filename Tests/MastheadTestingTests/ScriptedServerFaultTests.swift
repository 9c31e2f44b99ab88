import Foundation
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("ScriptedServer's faults", .timeLimit(.minutes(1)))
struct ScriptedServerFaultTests {
    /// What a client sees that makes one request and reads to the end.
    private func exchange(_ answer: ScriptedServer.Answer) async throws -> (text: String, end: RawClient.End) {
        let server = try ScriptedServer(answer)
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        let (bytes, end) = await client.send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n").readToEnd()
        return (bytes.text, end)
    }

    @Test("cuts a body short", arguments: [0, 1, 3, 4])
    func cuts(count: Int) async throws {
        let (text, end) = try await exchange(.text("body").cut(afterBodyBytes: count))
        #expect(text.contains("Content-Length: 4\r\n"))
        #expect(text.afterHead == "body".prefix(count))
        #expect(end == .closed)
    }

    @Test("resets instead of an answer")
    func resets() async throws {
        let (text, end) = try await exchange(.reset)
        #expect(text == "")
        #expect(end == .reset)
    }

    @Test("resets within a body")
    func resetsWithinBody() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(.text("body").held(until: gate, afterBodyBytes: 2).reset(afterBodyBytes: 2))
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        #expect(await client.send("GET / HTTP/1.1\r\n\r\n").read(through: "bo").afterHead == "bo")
        gate.open()
        let (rest, end) = await client.readToEnd()
        #expect(rest.isEmpty)
        #expect(end == .reset)
    }

    @Test("hangs up without an answer")
    func hangsUp() async throws {
        let (text, end) = try await exchange(.hangUp)
        #expect(text == "")
        #expect(end == .closed)
    }

    @Test("sends raw bytes and nothing else")
    func sendsRaw() async throws {
        #expect(
            try await exchange(.raw("HTTP/1.1 200\r\nContent-Length: -5\r\n\r\n")).text
                == "HTTP/1.1 200\r\nContent-Length: -5\r\n\r\n"
        )
    }

    @Test("sends as much garbage as it is told, the same each time")
    func sendsGarbage() async throws {
        let first = try await exchange(.garbage(byteCount: 1000)).text
        #expect(first.utf8.count >= 1000)
        #expect(try await exchange(.garbage(byteCount: 1000)).text == first)
    }

    @Test("claims a length that is not the body's", arguments: [(2, "body"), (10, "body")])
    func claimsLength(length: Int, body: String) async throws {
        let (text, _) = try await exchange(.text(body).claimingLength(length))
        #expect(text.contains("Content-Length: \(length)\r\n"))
        #expect(text.afterHead == body)
    }

    @Test("sends chunks, ended or not")
    func sendsChunks() async throws {
        let whole = try await exchange(.text("hello").chunked(size: 2)).text
        #expect(whole.contains("Transfer-Encoding: chunked\r\n"))
        #expect(!whole.contains("Content-Length"))
        #expect(whole.afterHead == "2\r\nhe\r\n2\r\nll\r\n1\r\no\r\n0\r\n\r\n")
        let open = try await exchange(.text("hello").chunked(size: 5, isEnded: false)).text
        #expect(open.afterHead == "5\r\nhello\r\n")
        let cut = try await exchange(.text("hello").chunked(size: 2).cut(afterBodyBytes: 3)).text
        #expect(cut.afterHead == "2\r\nhe\r\n1\r\nl\r\n")
    }

    @Test("ends a body with the connection")
    func endsByClose() async throws {
        let server = try ScriptedServer(.text("body").endedByClose())
        defer { server.stop() }
        let (bytes, end) = await (try RawClient(port: server.port)).send("GET / HTTP/1.1\r\n\r\n").readToEnd()
        #expect(!bytes.text.contains("Content-Length"))
        #expect(bytes.text.afterHead == "body")
        #expect(end == .closed)
    }

    @Test("closes after an answer, with or without saying so", arguments: [true, false])
    func closes(isAnnounced: Bool) async throws {
        let server = try ScriptedServer(.text("body").closing(isAnnounced: isAnnounced))
        defer { server.stop() }
        let (bytes, end) = await (try RawClient(port: server.port)).send("GET / HTTP/1.1\r\n\r\n").readToEnd()
        #expect(bytes.text.contains("Connection: close\r\n") == isAnnounced)
        #expect(bytes.text.afterHead == "body")
        #expect(end == .closed)
    }

    @Test("holds an answer until its gate is open")
    func holds() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(.text("late").held(until: gate), .text("free").held(until: gate))
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        client.send("GET / HTTP/1.1\r\n\r\n")

        try await gate.waiters(count: 1)
        #expect(!gate.isOpen)
        #expect(server.requests.count == 1)
        gate.open()

        #expect(await client.read(through: "late").afterHead == "late")
        #expect(await client.send("GET / HTTP/1.1\r\n\r\n").read(through: "free").afterHead == "free")
    }

    @Test("holds an answer within its body")
    func holdsWithinBody() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(.text("body").held(until: gate, afterBodyBytes: 3))
        defer { server.stop() }
        let client = try RawClient(port: server.port)

        #expect(await client.send("GET / HTTP/1.1\r\n\r\n").read(through: "bod").afterHead == "bod")
        try await gate.waiters(count: 1)
        gate.open()
        #expect(await client.read(through: "y") == "y")
    }

    @Test("notices that a client gave up waiting", arguments: [true, false])
    func noticesHangUp(isHeld: Bool) async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(isHeld ? .text("late").held(until: gate) : .never)
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        client.send("GET / HTTP/1.1\r\n\r\n")
        _ = try await server.request(0)
        #expect(server.openConnectionCount == 1)

        client.hangUp()

        try await server.closedConnections(count: 1)
        #expect(server.openConnectionCount == 0)
    }

    @Test("delays by the machine's clock")
    func delays() async throws {
        let start = ContinuousClock.now
        let answer = ScriptedServer.Answer.text("body").delayed(by: .milliseconds(10))
            .delayed(by: .milliseconds(10), afterBodyBytes: 1).trickling(bytes: 1, every: .milliseconds(10))
        #expect(try await exchange(answer).text.afterHead == "body")
        // Before the head, after one byte, between four pieces.
        #expect(ContinuousClock.now - start >= .milliseconds(50))
    }

    @Test("makes a big body while it is sent")
    func generates() async throws {
        // In a process of its own, so that the memory is this test's alone.
        await #expect(processExitsWith: .success) {
            let before = try residentBytes()
            let server = try ScriptedServer(.generated(byteCount: 200_000_000))
            let client = try RawClient(port: server.port)
            let count = await client.send("GET / HTTP/1.0\r\n\r\n").countToEnd()
            #expect(count > 200_000_000)
            #expect(count < 200_001_000)
            // The thread sanitizer keeps a shadow of all that was ever touched, which says nothing about the server.
            if !isThreadSanitized { #expect(try residentBytes() - before < 100_000_000) }
        }
    }

    @Test("ends an answer whose maker gives too little")
    func generatesTooLittle() async throws {
        let (text, _) = try await exchange(.generated(byteCount: 10) { _ in Data("abc".utf8) })
        #expect(text.contains("Content-Length: 10\r\n"))
        #expect(text.afterHead == "abc")
    }

    @Test("sends a body in steps that the test lets through")
    func trickles() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(.text("abcd").trickling(bytes: 2, behind: gate))
        defer { server.stop() }
        let client = try RawClient(port: server.port)

        #expect(await client.send("GET / HTTP/1.1\r\n\r\n").read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
        try await gate.waiters(count: 1)
        gate.letThrough()
        #expect(await client.read(through: "ab") == "ab")
        try await gate.waiters(count: 1)
        gate.letThrough()
        #expect(await client.read(through: "cd") == "cd")
    }

    @Test("lets through those that came first, and those to come if none waits")
    func letsThrough() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer { .text($0.target + "|").held(until: gate) }
        defer { server.stop() }
        let clients = try (0..<3).map { _ in try RawClient(port: server.port) }
        for (index, client) in clients.prefix(2).enumerated() {
            client.send("GET /\(index) HTTP/1.1\r\n\r\n")
            try await gate.waiters(count: index + 1)
        }

        gate.letThrough()
        #expect(await clients[0].read(through: "|").afterHead == "/0|")
        gate.letThrough(2)
        #expect(await clients[1].read(through: "|").afterHead == "/1|")
        #expect(await clients[2].send("GET /2 HTTP/1.1\r\n\r\n").read(through: "|").afterHead == "/2|")
        clients[2].send("GET /3 HTTP/1.1\r\n\r\n")
        try await gate.waiters(count: 1)
        #expect(!gate.isOpen)
    }

    @Test("sends interim answers before the answer, even while that is held")
    func precedes() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(
            .text("body").held(until: gate).preceded(by: 100).preceded(by: 103, headers: ["Link": "</a>"])
        )
        defer { server.stop() }
        let client = try RawClient(port: server.port)

        #expect(
            await client.send("GET / HTTP/1.1\r\n\r\n").read(through: "</a>\r\n\r\n")
                == "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        )
        gate.open()
        #expect(await client.read(through: "body").hasPrefix("HTTP/1.1 200 OK\r\n"))
    }
}
