import Foundation
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("ScriptedServer", .timeLimit(.minutes(1)))
struct ScriptedServerTests {
    @Test("records a request exactly as it came")
    func recordsRequest() async throws {
        let server = try ScriptedServer(.json(#"{"id": "vol-7"}"#))
        defer { server.stop() }

        let client = try RawClient(port: server.port)
        client.send(
            "PUT /a%2Fb/?q=%20+x HTTP/1.1\r\nHost: h\r\nX-B: 1\r\nx-a:  two \t\r\nX-B: 3\r\nContent-Length: 5\r\n\r\nhello"
        )
        let answer = await client.read(through: #"{"id": "vol-7"}"#)

        #expect(
            answer
                == "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{\"id\": \"vol-7\"}"
        )
        let request = try await server.request(0)
        #expect(request.method == "PUT")
        #expect(request.target == "/a%2Fb/?q=%20+x")
        #expect(request.path == "/a%2Fb/")
        #expect(request.query == "q=%20+x")
        #expect(request.version == "HTTP/1.1")
        #expect(request.headers.fields.map(\.name) == ["Host", "X-B", "x-a", "X-B", "Content-Length"])
        #expect(request.headers.fields.map(\.value) == ["h", "1", "two", "3", "5"])
        #expect(request.text == "hello")
        #expect(request.connection == 0)
        #expect(server.requests == [request])
    }

    @Test("gives answers in order over one kept connection, then says that none is left")
    func keepsAlive() async throws {
        let server = try ScriptedServer(.text("one"), .status(204))
        defer { server.stop() }
        server.answer(.text("three"))

        let client = try RawClient(port: server.port)
        let first = await client.send("GET /1 HTTP/1.1\r\n\r\n").read(through: "one")
        let second = await client.send("GET /2 HTTP/1.1\r\n\r\n").read(through: "\r\n\r\n")
        let third = await client.send("GET /3 HTTP/1.1\r\n\r\n").read(through: "three")
        let fourth = await client.send("GET /4 HTTP/1.1\r\n\r\n").read(through: "GET /4")

        #expect(first.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(second == "HTTP/1.1 204 No Content\r\n\r\n")
        #expect(third.afterHead == "three")
        #expect(fourth.hasPrefix("HTTP/1.1 501 "))
        #expect(server.connectionCount == 1)
        #expect(server.requests.map(\.target) == ["/1", "/2", "/3", "/4"])
        #expect(server.problems == ["connection 0: no answer scripted for GET /4"])
    }

    @Test("answers pipelined requests one after the other")
    func pipelines() async throws {
        let server = try ScriptedServer { .text($0.target + "|") }
        defer { server.stop() }

        let client = try RawClient(port: server.port)
        client.send(
            "GET /1 HTTP/1.1\r\n\r\nPOST /2 HTTP/1.1\r\nContent-Length: 2\r\n\r\nabGET /3 HTTP/1.1\r\nConnection: close\r\n\r\n"
        )
        let (bytes, end) = await client.readToEnd()

        #expect(end == .closed)
        #expect(bytes.text.components(separatedBy: "|").map { String($0.suffix(2)) } == ["/1", "/2", "/3", ""])
        #expect(server.requests.map(\.target) == ["/1", "/2", "/3"])
        #expect(server.requests.map(\.text) == ["", "ab", ""])
    }

    @Test("puts a chunked body together and passes over its trailers")
    func readsChunks() async throws {
        let server = try ScriptedServer(.status(200))
        defer { server.stop() }

        let client = try RawClient(port: server.port)
        client.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
        client.send("5\r\nhel").send("lo\r\nA;x=y\r\n, world!!!\r\n0\r\nX-Sum: 1\r\n\r\n")
        _ = await client.read(through: "\r\n\r\n")

        let request = try await server.request(0)
        #expect(request.text == "hello, world!!!")
        #expect(request.bodyLength == 15)
    }

    @Test("asks for the body that a client holds back")
    func continues() async throws {
        let server = try ScriptedServer(.text("done"))
        defer { server.stop() }

        let client = try RawClient(port: server.port)
        client.send("PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        #expect(await client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        #expect(await client.send("abc").read(through: "done").afterHead == "done")
        #expect(try await server.request(0).text == "abc")
    }

    @Test("answers by method and target, the query first")
    func routes() async throws {
        let server = try ScriptedServer(routes: [
            "GET /v": .text("any|"), "GET /v?page=2": .text("two|"), "POST /v": .text("post|"),
        ])
        defer { server.stop() }

        let client = try RawClient(port: server.port)
        func ask(_ line: String) async -> String {
            await client.send(line + " HTTP/1.1\r\n\r\n").read(through: "|").afterHead
        }
        #expect(await ask("GET /v?page=1") == "any|")
        #expect(await ask("GET /v?page=2") == "two|")
        #expect(await ask("GET /v") == "any|")
        #expect(await ask("POST /v") == "post|")
    }

    @Test("refuses a route that is none", arguments: ["", "GET", "/volumes", "GET volumes", "GET  /v", "GET /a b"])
    func refusesRoute(route: String) {
        #expect(throws: ScriptedServerError.invalidRoute(route)) { try ScriptedServer(routes: [route: .status(200)]) }
    }

    @Test("sends the head alone for HEAD")
    func answersHead() async throws {
        let server = try ScriptedServer(.text("body"))
        defer { server.stop() }

        let client = try RawClient(port: server.port)
        let (bytes, _) = await client.send("HEAD / HTTP/1.1\r\nConnection: close\r\n\r\n").readToEnd()
        #expect(bytes.text.contains("Content-Length: 4\r\n"))
        #expect(bytes.text.afterHead == "")
    }

    @Test(
        "refuses what is no request, and says why",
        arguments: [
            ("NONSENSE\r\n\r\n", "the request line \"NONSENSE\" is none of HTTP/1.1"),
            ("GET / HTTP/2.0\r\n\r\n", "the request line \"GET / HTTP/2.0\" is none of HTTP/1.1"),
            ("GET / HTTP/1.1\nHost: h\n\n", "a line ends without CR"),
            ("GET / HTTP/1.1\r\nno field\r\n\r\n", "\"no field\" is no header field"),
            ("GET / HTTP/1.1\r\nContent-Length: +3\r\n\r\n", "the Content-Length \"+3\" is none"),
            ("GET / HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n", "the Content-Length \"3, 4\" is none"),
            (
                "GET / HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
                "the request has both Content-Length and Transfer-Encoding"
            ),
            ("GET / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", "the transfer coding \"gzip\" is not known"),
            ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", "\"xyz\" is no size of a chunk"),
            ("GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n", "a chunk is longer than its size"),
        ]
    )
    func refusesRequest(bytes: String, reason: String) async throws {
        let server = try ScriptedServer(.status(200))
        defer { server.stop() }

        let (answer, _) = await (try RawClient(port: server.port)).send(bytes).readToEnd()

        #expect(answer.text.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(server.problems == ["connection 0: \(reason)"])
        #expect(server.requests.isEmpty)
    }

    @Test("holds what a client says without end to a bound")
    func boundsHead() async throws {
        let server = try ScriptedServer(.status(200))
        defer { server.stop() }

        let client = try RawClient(port: server.port)
        client.send("GET /" + String(repeating: "a", count: 300_000))
        _ = await client.readToEnd()
        #expect(server.problems == ["connection 0: a line is bigger than 256 KiB"])
    }

    @Test("listens on IPv6 as well")
    func listensOnIPv6() async throws {
        let server = try ScriptedServer(.text("six"), host: .ipv6)
        defer { server.stop() }

        #expect(server.baseURL.absoluteString == "http://[::1]:\(server.port)")
        let client = try RawClient(port: server.port, ipv6: true)
        #expect(await client.send("GET / HTTP/1.1\r\n\r\n").read(through: "six").afterHead == "six")
    }

    @Test("listens on a path, and removes it in the end")
    func listensOnPath() async throws {
        let folder = try Folder()
        let path = folder.path + "/s"
        let server = try ScriptedServer(.text("unix"), host: .unix(path))
        defer { server.stop() }

        #expect(server.baseURL.absoluteString == "http://localhost")
        #expect(server.configuration().port == nil)
        let client = try RawClient(path: path)
        #expect(await client.send("GET / HTTP/1.1\r\n\r\n").read(through: "unix").afterHead == "unix")
        #expect(try await server.request(0).clientAddress == "")
        server.stop()
        #expect(try folder.names == [])
    }

    @Test("refuses a path that is taken or too long, and leaves what is there")
    func refusesPath() throws {
        let folder = try Folder(["taken": "text"])
        #expect(throws: ScriptedServerError.system(operation: "bind", code: EADDRINUSE)) {
            try ScriptedServer(host: .unix(folder.path + "/taken"))
        }
        #expect(throws: ScriptedServerError.system(operation: "bind", code: ENAMETOOLONG)) {
            try ScriptedServer(host: .unix(folder.path + String(repeating: "x", count: 108)))
        }
        #expect(try folder.names == ["taken"])
    }

    @Test("tells where a client comes from", arguments: [ScriptedServer.Host.ipv4, .ipv6])
    func tellsClient(host: ScriptedServer.Host) async throws {
        let server = try ScriptedServer(.text("done"), host: host)
        defer { server.stop() }
        let client = try RawClient(port: server.port, ipv6: host == .ipv6)
        _ = await client.send("GET / HTTP/1.1\r\n\r\n").read(through: "done")
        let request = try await server.request(0)
        #expect(request.clientAddress == (host == .ipv6 ? "::1" : "127.0.0.1"))
        #expect(request.serverName == nil)
    }

    @Test("leads a configuration to itself")
    func configures() throws {
        let server = try ScriptedServer()
        defer { server.stop() }

        let configuration = server.configuration { $0.maximumRedirects = 0 }
        #expect(configuration.domainURL == "127.0.0.1")
        #expect(configuration.port == server.port)
        #expect(!configuration.useSecureConnection)
        #expect(configuration.maximumRedirects == 0)
    }
}
