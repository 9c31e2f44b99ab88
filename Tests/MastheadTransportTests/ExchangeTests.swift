import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

/// Exchanges over real sockets that go well.
@Suite(.timeLimit(.minutes(1)))
struct ExchangeTests {
    private let transport = Transport()

    @Test("sends what it is told, and nothing of its own that was not asked for")
    func sendsRequest() async throws {
        let server = try ScriptedServer(.text("hello"))
        let request = TransportRequest(
            url: "\(server.baseURL.absoluteString)/a%2Fb?x=1%202",
            headers: [HeaderField(name: "X-Empty", value: ""), HeaderField(name: "Accept", value: "text/plain")]
        )
        let response = try await transport.perform(request)

        #expect(response.status == 200)
        #expect(response.body == Data("hello".utf8))
        let received = try #require(server.requests.first)
        #expect(received.method == "GET")
        #expect(received.target == "/a%2Fb?x=1%202")
        #expect(received.headers["X-Empty"] == "")
        #expect(
            received.headers.fields.map { $0.name.lowercased() }.sorted()
                == ["accept", "accept-encoding", "host", "x-empty"]
        )
    }

    @Test(
        "sends every method with and without a body",
        arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"]
    )
    func sendsMethods(method: String) async throws {
        let server = try ScriptedServer(.status(204), .status(204))
        let url = server.baseURL.absoluteString + "/"
        for body in [nil, Data("{}".utf8)] {
            _ = try await transport.perform(TransportRequest(method: method, url: url, body: body.map { .data($0) }))
        }
        #expect(server.requests.map(\.method) == [method, method])
        #expect(server.requests.map(\.text) == ["", "{}"])
        let announcesNothing = ["POST", "PUT", "PATCH"].contains(method)
        #expect(server.requests.first?.headers["Content-Length"] == (announcesNothing ? "0" : nil))
        #expect(server.requests.allSatisfy { $0.headers["Expect"] == nil && $0.headers["Content-Type"] == nil })
        #expect(server.requests.allSatisfy { $0.connection == server.requests[0].connection })
    }

    @Test("keeps nothing of an exchange for the next that uses its handle")
    func forgets() async throws {
        // A policy of its own, so that no other test uses the one handle there is.
        let transport = Transport(policy: TrustPolicy(certificateAuthorityFile: "/dev/null/of-this-test"))
        let methods = ["GET", "GET", "PUT", "GET", "HEAD", "GET", "PURGE", "GET"]
        let server = try ScriptedServer { $0.method == "HEAD" ? .status(204) : .text($0.method) }
        let url = server.baseURL.absoluteString + "/"
        for method in methods {
            let body = method == "PUT" ? Data("{}".utf8) : nil
            // Equal for two exchanges that use the same lines, then another.
            let headers = [HeaderField(name: "X-Sends-Body", value: "\(body != nil)")]
            let request = TransportRequest(method: method, url: url, headers: headers, body: body.map { .data($0) })
            let response = try await transport.perform(request)
            #expect(response.body == Data((method == "HEAD" ? "" : method).utf8))
        }
        #expect(await transport.counts().pooled == 1)
        #expect(server.requests.map(\.method) == methods)
        #expect(server.requests.map(\.text) == methods.map { $0 == "PUT" ? "{}" : "" })
        #expect(server.requests.map { $0.headers["X-Sends-Body"] } == methods.map { $0 == "PUT" ? "true" : "false" })
    }

    @Test("reads no body after HEAD, and the next answer on the same connection is right")
    func headHasNoBody() async throws {
        let server = try ScriptedServer(
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", isClosing: false),
            .text("next")
        )
        let url = server.baseURL.absoluteString + "/"
        let head = try await transport.perform(TransportRequest(method: "HEAD", url: url))
        let next = try await transport.perform(TransportRequest(url: url))
        #expect(head.body.isEmpty)
        #expect(head.headers.contains(HeaderField(name: "Content-Length", value: "5")))
        #expect(next.body == Data("next".utf8))
        #expect(server.connectionCount == 1)
    }

    @Test("skips interim answers and ignores trailers")
    func skipsInterim() async throws {
        let server = try ScriptedServer(
            .raw(
                "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                    + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nA: 1\r\n\r\n2\r\nhi\r\n0\r\nB: 2\r\n\r\n"
            )
        )
        let response = try await transport.perform(TransportRequest(url: server.baseURL.absoluteString + "/"))
        #expect(response.body == Data("hi".utf8))
        #expect(response.headers.map(\.name) == ["Transfer-Encoding", "A"])
    }

    @Test("uploads eight mebibytes without waiting for leave")
    func uploads() async throws {
        let server = try ScriptedServer(.status(204))
        let body = Data((0..<(8 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        _ = try await transport.perform(
            TransportRequest(method: "POST", url: server.baseURL.absoluteString + "/", body: .data(body))
        )
        let request = try #require(server.requests.first)
        #expect(request.bodyLength == body.count)
        #expect(request.headers["Expect"] == nil)
    }

    @Test("keeps no cookie")
    func keepsNoCookie() async throws {
        let server = try ScriptedServer(.status(204, headers: ["Set-Cookie": "a=b"]), .status(204))
        for _ in 0..<2 { _ = try await transport.perform(TransportRequest(url: server.baseURL.absoluteString + "/")) }
        #expect(server.requests.last?.headers["Cookie"] == nil)
    }

    @Test("hands a redirect over like any other answer")
    func followsNothing() async throws {
        let server = try ScriptedServer(.redirect(to: "/elsewhere"))
        let response = try await transport.perform(TransportRequest(url: server.baseURL.absoluteString + "/"))
        #expect(response.status == 302)
        #expect(server.requests.count == 1)
    }

    @Test("undoes gzip, and survives a 204 that announces one")
    func undoesGzip() async throws {
        let server = try ScriptedServer(
            .raw("HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\nContent-Length: 20\r\n\r\n", isClosing: false),
            .data(Gzip.member(Array("tide".utf8))).adding("gzip", for: "Content-Encoding")
        )
        let url = server.baseURL.absoluteString + "/"
        #expect(try await transport.perform(TransportRequest(url: url)).status == 204)
        #expect(try await transport.perform(TransportRequest(url: url)).body == Data("tide".utf8))
    }

    @Test("opens no more connections to one host than allowed, and serves everyone")
    func boundsConnections() async throws {
        let server = try ScriptedServer { _ in .text("ok") }
        var request = TransportRequest(url: server.baseURL.absoluteString + "/")
        request.limits.places.connections = 3
        let statuses = await withTaskGroup(of: Int?.self) { [request] group in
            for _ in 0..<200 { group.addTask { try? await transport.perform(request).status } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count == 200)
        #expect(statuses.allSatisfy { $0 == 200 })
        #expect(server.connectionCount <= 3)
    }

    @Test("closes its connections when nothing is asked for a while, and starts again when something is")
    func closesWhenIdle() async throws {
        let server = try ScriptedServer { _ in .text("ok") }
        let transport = Transport.alone(idleLifetime: .milliseconds(1))
        let request = TransportRequest(url: server.baseURL.absoluteString + "/")
        for round in 1...20 {
            #expect(try await transport.perform(request).status == 200)
            try await server.closedConnections(count: round)
        }
        #expect(server.connectionCount == 20)
    }
}
