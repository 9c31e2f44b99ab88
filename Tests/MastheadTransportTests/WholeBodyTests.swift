import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

/// Bodies over real sockets: whole or refused, whatever stands on their label.
@Suite(.timeLimit(.minutes(1)))
struct WholeBodyTests {
    private static let text = Data("low water, high water".utf8)

    private let transport = Transport()

    private func get(_ target: String, from server: ScriptedServer) async throws(TransportError) -> TransportResponse {
        try await transport.perform(TransportRequest(url: server.baseURL.absoluteString + target))
    }

    private func body(of answer: ScriptedServer.Answer) async throws -> Data {
        let server = try ScriptedServer(answer)
        return try await get("/", from: server).body
    }

    @Test(
        "case 5: an answer without a body that announces a coded one leaves its connection fit for the next",
        arguments: [("GET", 204), ("GET", 304), ("HEAD", 200)],
        CodedForm.all
    )
    func keepsConnection(request: (method: String, status: Int), form: CodedForm) async throws {
        let announcing = "HTTP/1.1 \(request.status) So\r\nContent-Encoding: \(form.label)\r\n"
        let server = try ScriptedServer(
            .raw(announcing + "Content-Length: 20\r\n\r\n", isClosing: false),
            .data(try form.encode(Self.text)).adding(form.label, for: "Content-Encoding")
        )
        let url = server.baseURL.absoluteString + "/"
        let first = try await transport.perform(TransportRequest(method: request.method, url: url))
        let second = try await transport.perform(TransportRequest(url: url))
        #expect(first.status == request.status)
        #expect(first.body.isEmpty)
        #expect(second.body == Self.text)
        #expect(server.connectionCount == 1)
    }

    @Test("case 5: what comes after an answer without a body is not taken for the next", arguments: [true, false])
    func dropsStrayBytes(comesLate: Bool) async throws {
        let announcing = "HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\nContent-Length: 20\r\n\r\n"
        let stray = announcing + "HTTP/1.1 500 A\r\n\r\n.."
        let (late, sent) = (ScriptedServer.Gate(), ScriptedServer.Gate())
        if !comesLate { late.open() }
        let server = try ScriptedServer(
            .raw(stray, isClosing: false)
                .held(until: late, afterBodyBytes: announcing.utf8.count)
                .held(until: sent, afterBodyBytes: stray.utf8.count),
            .text("next")
        )
        #expect(try await get("/", from: server).status == 204)
        late.open()
        try await sent.waiters(count: 1)
        sent.open()
        let next = try await get("/", from: server)
        #expect(next.status == 200)
        #expect(next.body == Data("next".utf8))
    }

    @Test(
        "case 6: a body that ends before its frame does is incomplete, even if what came of it decodes",
        arguments: [
            (ScriptedServer.Answer.data(Gzip.member(Array("tide".utf8))).chunked(isEnded: false), nil),
            (.data(Gzip.member(Array("tide".utf8))).chunked(size: 7).cut(afterBodyBytes: 14), nil),
            (.data(Gzip.member(Array("tide".utf8))).claimingLength(100), 100),
        ] as [(ScriptedServer.Answer, Int?)]
    )
    func tellsIncompleteCoded(answer: ScriptedServer.Answer, expected: Int?) async throws {
        let error = await #expect(throws: TransportError.self) {
            try await body(of: answer.adding("gzip", for: "Content-Encoding"))
        }
        guard case .incompleteBody(_, expected) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("case 6: a body of ten bytes with five is incomplete")
    func tellsShortBody() async throws {
        await #expect(throws: TransportError.incompleteBody(received: 5, expected: 10)) {
            try await body(of: .text("12345").claimingLength(10))
        }
    }

    @Test(
        "case 6: chunks that are cut anywhere before the last one's end are incomplete",
        arguments: ["5", "5\r\n", "5\r\n12", "5\r\n12345", "5\r\n12345\r\n", "5\r\n12345\r\n0", "5\r\n12345\r\n0\r\n"]
    )
    func tellsCutChunks(chunks: String) async throws {
        let error = await #expect(throws: TransportError.self) {
            try await body(of: .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)"))
        }
        guard case .incompleteBody(_, expected: nil) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("case 7: a coded body cut at any byte is corrupt, though its length is right", arguments: CodedForm.all)
    func tellsCutCoding(form: CodedForm) async throws {
        let coded = try form.encode(Self.text)
        let server = try ScriptedServer { request in
            let count = Int(request.target.dropFirst()) ?? 0
            return .data(coded.prefix(count)).adding(form.label, for: "Content-Encoding")
        }
        for count in 1..<coded.count {
            let error = await #expect(throws: TransportError.self) { try await get("/\(count)", from: server) }
            #expect(error == .corruptBody("its coded form ends early, after \(count) bytes"))
        }
        #expect(try await get("/\(coded.count)", from: server).body == Self.text)
    }

    @Test("case 7: a coded body that ends with its connection, but early, is corrupt", arguments: CodedForm.all)
    func tellsCutByClose(form: CodedForm) async throws {
        let coded = try form.encode(Self.text)
        let answer = ScriptedServer.Answer.data(coded.dropLast()).adding(form.label, for: "Content-Encoding")
        await #expect(throws: TransportError.corruptBody("its coded form ends early, after \(coded.count - 1) bytes")) {
            try await body(of: answer.endedByClose())
        }
    }

    @Test("case 8: every member of a gzip body is delivered, and every frame of a zstd body")
    func joinsParts() async throws {
        for form in CodedForm.all where form.label == "gzip" || form.label == "zstd" {
            let parts = try form.encode(Self.text) + form.encode(Data()) + form.encode(Self.text)
            let answer = ScriptedServer.Answer.data(parts).adding(form.label, for: "Content-Encoding")
            #expect(try await body(of: answer) == Self.text + Self.text, "\(form.label)")
            #expect(try await body(of: answer.chunked(size: 1)) == Self.text + Self.text, "\(form.label)")
        }
    }

    @Test("undoes codings that are named in one field or in several, the last first")
    func undoesChains() async throws {
        let body = Data.honestJSON(byteCount: 100_000)
        for first in CodedForm.all {
            for second in CodedForm.all {
                let answer = ScriptedServer.Answer.data(try second.encode(first.encode(body)))
                let joined = answer.adding("\(first.label), \(second.label)", for: "Content-Encoding")
                let apart = answer.adding(first.label, for: "Content-Encoding")
                    .adding(second.label, for: "Content-Encoding")
                #expect(try await self.body(of: joined) == body)
                #expect(try await self.body(of: apart) == body)
            }
        }
    }

    @Test("tells a body that is not of the coding on its label", arguments: CodedForm.all)
    func tellsMislabelled(form: CodedForm) async throws {
        let error = await #expect(throws: TransportError.self) {
            try await body(of: .json(#"{"tide": "low"}"#).adding(form.label, for: "Content-Encoding"))
        }
        guard case .corruptBody = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("takes an empty body for one, whatever coding it is said to be of", arguments: CodedForm.all)
    func passesEmptiness(form: CodedForm) async throws {
        #expect(try await body(of: .status(200).adding(form.label, for: "Content-Encoding")).isEmpty)
    }

    @Test("hands over as it came what the caller asked for in a coding of its own")
    func leavesForeignCodings() async throws {
        let server = try ScriptedServer { _ in .data(Self.text).adding("compress", for: "Content-Encoding") }
        let url = server.baseURL.absoluteString + "/"
        await #expect(throws: TransportError.corruptBody("a content coding that was not asked for")) {
            try await transport.perform(TransportRequest(url: url))
        }
        let asking = [HeaderField(name: "Accept-Encoding", value: "compress")]
        #expect(try await transport.perform(TransportRequest(url: url, headers: asking)).body == Self.text)
    }
}
