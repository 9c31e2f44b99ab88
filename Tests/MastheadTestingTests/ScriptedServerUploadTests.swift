import Foundation
import MastheadCrypto
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("ScriptedServer taking a body", .timeLimit(.minutes(1)))
struct ScriptedServerUploadTests {
    private let post = "POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\n"

    @Test("answers before the body, then reads it and keeps the connection")
    func answersEarly() async throws {
        let server = try ScriptedServer(.text("no", status: 413).early(), .text("next"))
        defer { server.stop() }
        let client = try RawClient(port: server.port)

        #expect(await client.send(post).read(through: "no").hasPrefix("HTTP/1.1 413 "))
        #expect(await client.send("0123456789GET / HTTP/1.1\r\n\r\n").read(through: "next").afterHead == "next")
        #expect(server.requests.map(\.method) == ["POST", "GET"])
        #expect(server.requests.map(\.bodyLength) == [0, 0])
        #expect(server.problems == [])
    }

    @Test("answers in the middle of the body")
    func answersWithin() async throws {
        let server = try ScriptedServer(.text("no", status: 401).early(afterBodyBytes: 4))
        defer { server.stop() }
        let client = try RawClient(port: server.port)

        #expect(await client.send(post + "012345").read(through: "no").hasPrefix("HTTP/1.1 401 "))
        #expect(try await server.request(0).text == "0123")
    }

    @Test("closes after an early answer without a reset, whatever the client still sends")
    func closesEarly() async throws {
        let server = try ScriptedServer(.text("no", status: 413).early().closing())
        defer { server.stop() }
        let client = try RawClient(port: server.port)

        #expect(await client.send(post).read(through: "no").afterHead == "no")
        #expect(await client.send("01234").readToEnd().end == .closed)
        #expect(await client.send("56789").readToEnd().end == .closed)
    }

    @Test("resets after an early answer")
    func resetsEarly() async throws {
        let server = try ScriptedServer(.text("no", status: 413).early().reset(afterBodyBytes: .max))
        defer { server.stop() }
        let client = try RawClient(port: server.port)

        client.send(post + "01234")
        #expect(await client.readToEnd().end == .reset)
    }

    @Test("gives an early answer of the routes, or of the closure for heads, and leaves the rest to the others")
    func choosesByHead() async throws {
        let routed = try ScriptedServer(routes: ["POST /": .text("early|").early(), "GET /": .text("late|")])
        let asked = try ScriptedServer(
            respondToHead: { $0.path == "/" ? .text("early|").early() : .text("not taken|") },
            respond: { .text("late, \($0.text)|") }
        )
        defer { for server in [routed, asked] { server.stop() } }

        let first = try RawClient(port: routed.port)
        #expect(await first.send(post).read(through: "|").afterHead == "early|")
        #expect(await first.send("0123456789GET / HTTP/1.1\r\n\r\n").read(through: "|").afterHead == "late|")
        let second = try RawClient(port: asked.port)
        #expect(await second.send(post).read(through: "|").afterHead == "early|")
        second.send("0123456789POST /x HTTP/1.1\r\nContent-Length: 2\r\n\r\nab")
        #expect(await second.read(through: "|").afterHead == "late, ab|")
    }

    @Test("stops reading a body until its gate is open")
    func holdsUpload() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(.text("done").uploadHeld(until: gate, afterBodyBytes: 3))
        defer { server.stop() }
        let client = try RawClient(port: server.port)

        client.send(post + "0123456789")
        try await gate.waiters(count: 1)
        #expect(server.requests.isEmpty)
        gate.open()
        #expect(await client.read(through: "done").afterHead == "done")
        #expect(server.requests.map(\.text) == ["0123456789"])
    }

    @Test("reads a body in steps that the test lets through")
    func tricklesUpload() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(.text("done").uploadTrickling(bytes: 4, behind: gate))
        defer { server.stop() }
        let client = try RawClient(port: server.port)

        client.send(post + "0123456789")
        // Three pieces and the end.
        for _ in 0..<4 {
            try await gate.waiters(count: 1)
            #expect(server.requests.isEmpty)
            gate.letThrough()
        }
        #expect(await client.read(through: "done").afterHead == "done")
    }

    @Test("notices a client that gives up while its body is not read")
    func noticesHangUp() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(.text("done").uploadHeld(until: gate))
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        client.send(post)
        try await gate.waiters(count: 1)
        client.hangUp()
        try await server.closedConnections(count: 1)
    }

    @Test(
        "does not ask for a body that is not wanted, or that the client shall send by itself",
        arguments: [true, false]
    )
    func doesNotContinue(isEarly: Bool) async throws {
        let answer = ScriptedServer.Answer.text("done")
        let server = try ScriptedServer(isEarly ? answer.early() : answer.withoutContinue())
        defer { server.stop() }
        let client = try RawClient(port: server.port)

        client.send("PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        if !isEarly { client.send("abc") }
        #expect(await client.read(through: "done").hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(try await server.request(0).expectsContinue)
    }

    @Test("digests a body that it does not keep, framed either way")
    func digests() async throws {
        // In a process of its own, so that the memory is this test's alone.
        await #expect(processExitsWith: .success) {
            for isChunked in [true, false] { try await ScriptedServerUploadTests.digest(isChunked: isChunked) }
        }
    }

    private static func digest(isChunked: Bool) async throws {
        let server = try ScriptedServer(.text("done").uploadKept(bytes: 5))
        defer { server.stop() }
        let before = try residentBytes()
        let client = try RawClient(port: server.port)
        let piece = String(repeating: "0123456789abcdef", count: 65536)

        client.send("PUT / HTTP/1.1\r\n")
        client.send(isChunked ? "Transfer-Encoding: chunked\r\n\r\n" : "Content-Length: \(100 << 20)\r\n\r\n")
        var digest = try DigestStream(.sha256)
        for _ in 0..<100 {
            client.send(isChunked ? "100000\r\n\(piece)\r\n" : piece)
            try digest.update(piece.utf8)
        }
        if isChunked { client.send("0\r\n\r\n") }
        #expect(await client.read(through: "done").afterHead == "done")

        let request = try await server.request(0)
        #expect(request.text == "01234")
        #expect(request.bodyLength == 100 << 20)
        #expect(request.bodyDigest == (try digest.finish().hexadecimal))
        if !isThreadSanitized { #expect(try residentBytes() - before < 50 << 20) }
    }

    @Test("takes a body of several parts to pieces, however it is cut")
    func readsParts() async throws {
        let body =
            "--b-1\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\none\r\n--b-1\r\n\r\n\r\n--b\r\n--b-1  \r\n"
            + "X: 1\r\nY: 2\r\n\r\n\r\n\r\n--b-1--\r\nepilogue"
        for size in [1, 7, 1000] {
            let server = try ScriptedServer(.text("done").uploadTrickling(bytes: size, every: .zero))
            defer { server.stop() }
            let client = try RawClient(port: server.port)
            client.send("POST / HTTP/1.1\r\nContent-Type: multipart/form-data; boundary=\"b-1\"\r\n")
            client.send("Content-Length: \(body.utf8.count)\r\n\r\n" + body)
            #expect(await client.read(through: "done").afterHead == "done")
            let parts = try await server.request(0).parts
            #expect(parts.map(\.text) == ["one", "\r\n--b", "\r\n"])
            #expect(parts.map(\.bodyLength) == [3, 5, 2])
            #expect(parts.map { $0.headers.fields.map(\.value) } == [["form-data; name=\"a\""], [], ["1", "2"]])
            #expect(parts.first?.bodyDigest == (try Digest.sha256("one".utf8).hexadecimal))
        }
    }

    @Test("takes a body without a known boundary, or without an end, as it comes")
    func readsBrokenParts() async throws {
        let server = try ScriptedServer(.text("done"), .text("done"))
        defer { server.stop() }
        let client = try RawClient(port: server.port)
        for type in ["multipart/mixed", "multipart/mixed; boundary=b"] {
            client.send("POST / HTTP/1.1\r\nContent-Type: \(type)\r\nContent-Length: 10\r\n\r\n--b\r\n\r\nx\r\n")
            #expect(await client.read(through: "done").afterHead == "done")
        }
        #expect(server.requests.map(\.parts) == [[], []])
        #expect(server.requests.map(\.bodyLength) == [10, 10])
    }
}
