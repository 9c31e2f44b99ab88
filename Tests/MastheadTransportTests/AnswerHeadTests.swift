import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

/// Heads of answers over real sockets: cut, repeated, without end, and with lengths that are none.
@Suite(.timeLimit(.minutes(1)))
struct AnswerHeadTests {
    private let transport = Transport()

    private func response(to method: String = "GET", _ raw: String) async throws -> TransportResponse {
        let server = try ScriptedServer { _ in .raw(raw) }
        return try await transport.perform(
            TransportRequest(method: method, url: server.baseURL.absoluteString + "/")
        )
    }

    @Test(
        "takes no head that is cut for an answer",
        arguments: [
            "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n",
            "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nX",
        ],
        ["GET", "POST", "HEAD"]
    )
    func refusesCutHead(raw: String, method: String) async throws {
        await #expect(throws: TransportError.connectionLost(mayHaveBeenProcessed: true)) {
            try await response(to: method, raw)
        }
    }

    @Test(
        "refuses a length that is no number",
        arguments: ["5abc", "5 5", "+5", "-1", "0x5", "5, 6", "5,", "99999999999999999999", ""]
    )
    func refusesStrangeLength(length: String) async throws {
        let error = await #expect(throws: TransportError.self) {
            try await response("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nhello")
        }
        guard case .invalidResponse = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("takes a length that is said twice in one field", arguments: ["5", "5, 5", "005"])
    func takesRepeatedLength(length: String) async throws {
        let response = try await response("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nhello")
        #expect(response.body == Data("hello".utf8))
    }

    @Test("keeps every field of a head in which one looks like a status line")
    func keepsFields() async throws {
        let response = try await response("HTTP/1.1 200 OK\r\nA: b\r\nHTTP/x: c\r\nContent-Length: 0\r\n\r\n")
        #expect(response.headers.map(\.name) == ["A", "HTTP/x", "Content-Length"])
    }

    @Test(
        "refuses a status line that is none, or not of the connection's version",
        arguments: [
            "HTTP/201.1 2", "HTTP/2 200 OK", "HTTP/2.0 200 OK", "HTTP/1.2 200 OK", "HTTP/1.1 20", "HTTP/1.1 2000",
            "HTTP/1.1 099", "HTTP/1.1 -20", "HTTP/1.1 OK", "HTTP/1.1\t200", "http/1.1 200 OK", "ICY 200 OK",
        ]
    )
    func refusesStatusLine(line: String) async throws {
        let error = await #expect(throws: TransportError.self) { try await response("\(line)\r\nA: b\r\n\r\n") }
        guard case .invalidResponse = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("takes a status line without a reason", arguments: ["HTTP/1.1 200", "HTTP/1.1 200 ", "HTTP/1.0 200 a  b"])
    func takesBareStatus(line: String) async throws {
        #expect(try await response("\(line)\r\nContent-Length: 0\r\n\r\n").status == 200)
    }

    @Test("appends no field to the answer before, which is gone")
    func keepsAnswersApart() async throws {
        let server = try ScriptedServer { request in
            .raw("HTTP/1.1 200 OK\r\n\(request.path == "/folded" ? " " : "")A: b\r\nContent-Length: 0\r\n\r\n")
        }
        for _ in 0..<20 {
            let url = server.baseURL.absoluteString
            #expect(try await transport.perform(TransportRequest(url: url + "/")).status == 200)
            await #expect(throws: TransportError.self) {
                try await transport.perform(TransportRequest(url: url + "/folded"))
            }
        }
    }

    @Test("leaves out the fields of interim answers")
    func leavesInterimOut() async throws {
        let response = try await response(
            "HTTP/1.1 100 Continue\r\nContent-Length: 9\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
        )
        #expect(response.status == 200)
        #expect(response.headers == [HeaderField(name: "Content-Length", value: "5")])
        #expect(response.body == Data("hello".utf8))
    }

    @Test("stops interim answers and trailers without end")
    func stopsEndlessHeads() async throws {
        let interim = String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", count: 20_000)
        let trailers = String(repeating: "X-Trailer: a\r\n", count: 40_000)
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\(trailers)\r\n"
        for raw in [interim + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", chunked] {
            await #expect(throws: TransportError.invalidResponse("header fields of more than 262144 bytes")) {
                try await response(raw)
            }
        }
    }

    @Test("sends neither a body with HEAD nor a framing of somebody else's")
    func refusesForeignFraming() async throws {
        let server = try ScriptedServer { _ in .text("ok") }
        let url = server.baseURL.absoluteString + "/"
        for method in ["GET", "POST"] {
            let framed = [HeaderField(name: "transfer-encoding", value: "chunked")]
            let body = method == "POST" ? Data("hi".utf8) : nil
            let request = TransportRequest(method: method, url: url, headers: framed, body: body.map { .data($0) })
            #expect(try await transport.perform(request).status == 200)
        }
        #expect(server.requests.map { $0.headers["Transfer-Encoding"] } == [nil, nil])
        await #expect(throws: TransportError.invalidRequest("a HEAD request carries no body")) {
            try await transport.perform(TransportRequest(method: "HEAD", url: url, body: .data(Data("hi".utf8))))
        }
    }
}
