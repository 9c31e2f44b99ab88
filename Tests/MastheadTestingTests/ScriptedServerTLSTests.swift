import Foundation
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("ScriptedServer over TLS", .timeLimit(.minutes(1)))
struct ScriptedServerTLSTests {
    private func curl(_ server: ScriptedServer, _ options: String...) async throws -> (status: Int32, output: String) {
        let authority = try #require(server.certificateAuthorityFile)
        let arguments = ["-sS", "--cacert", authority, "--max-time", "20"] + options
        return try await onThread { try run("/usr/bin/curl", arguments) }
    }

    /// Blocks a thread of its own, none of Swift's concurrency.
    private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try body() }) }.start()
        }
    }

    @Test("answers a client that trusts its authority", arguments: ["1.2", "1.3"])
    func answers(version: String) async throws {
        let server = try ScriptedServer(.text("one"), .text("two"), tls: .selfSigned)
        defer { server.stop() }
        let url = server.baseURL.absoluteString
        #expect(url == "https://127.0.0.1:\(server.port)")

        let (status, output) = try await curl(
            server,
            "--tlsv\(version)",
            "--tls-max",
            version,
            "\(url)/1",
            "https://localhost:\(server.port)/2"
        )

        #expect(status == 0)
        #expect(output == "onetwo")
        #expect(server.requests.map(\.target) == ["/1", "/2"])
        #expect(server.requests.map(\.serverName) == [nil, "localhost"])
        #expect(server.problems.isEmpty)
    }

    @Test("keeps a connection, and takes a body with it")
    func keepsConnection() async throws {
        let server = try ScriptedServer(tls: .selfSigned) { .text($0.text) }
        defer { server.stop() }
        let url = server.baseURL.absoluteString
        let (_, output) = try await curl(
            server,
            "--data-binary",
            String(repeating: "x", count: 100_000),
            "\(url)/1",
            "\(url)/2"
        )
        #expect(output.utf8.count == 200_000)
        #expect(server.connectionCount == 1)
    }

    @Test(
        "agrees on HTTP/1.1 alone, whatever else the client would like",
        arguments: [
            ("h2,http/1.1", "ALPN protocol: http/1.1", true), ("h2", "no application protocol", false),
            ("", "No ALPN negotiated", true),
        ]
    )
    func selectsProtocol(wanted: String, said: String, isAgreed: Bool) async throws {
        let server = try ScriptedServer(.text("one"), tls: .selfSigned)
        defer { server.stop() }
        let (_, output) = try await onThread {
            let alpn = wanted.isEmpty ? [] : ["-alpn", wanted]
            return try run(
                "/usr/bin/openssl",
                ["s_client", "-connect", "127.0.0.1:\(server.port)"] + alpn,
                input: "Q\n"
            )
        }
        #expect(output.contains(said))
        try await server.closedConnections(count: 1)
        #expect(server.problems.isEmpty == isAgreed)
    }

    @Test(
        "is refused for a certificate that is not right",
        arguments: [
            (ScriptedServer.TLS.expired, "certificate has expired"),
            (.notYetValid, "certificate is not yet valid"),
            (.selfSigned(names: ["other.example"]), "no alternative certificate subject name matches"),
        ]
    )
    func isRefused(tls: ScriptedServer.TLS, reason: String) async throws {
        let server = try ScriptedServer(.text("one"), tls: tls)
        defer { server.stop() }
        let (status, output) = try await curl(server, server.baseURL.absoluteString)
        #expect(status == 60)
        #expect(output.contains(reason))
        #expect(server.requests.isEmpty)
    }

    @Test("says which connection found no TLS to agree on")
    func recordsProblem() async throws {
        let server = try ScriptedServer(.text("one"), tls: .selfSigned)
        defer { server.stop() }
        _ = await (try RawClient(port: server.port)).send("GET / HTTP/1.1\r\n\r\n").readToEnd()
        try await server.closedConnections(count: 1)
        #expect(server.problems == ["connection 0: no TLS: SSL_accept failed: http request"])
    }

    @Test("cuts without a closing alert, and closes with one")
    func cuts() async throws {
        let server = try ScriptedServer(
            .text("whole").endedByClose(),
            .text("whole").endedByClose().cut(afterBodyBytes: 2),
            tls: .selfSigned
        )
        defer { server.stop() }
        // Not curl, which takes either for the end of a body.
        let whole = try await read(server)
        #expect(whole.hasSuffix("whole"))
        #expect(!whole.contains("unexpected eof"))
        let cut = try await read(server)
        #expect(cut.contains("\r\n\r\nwh"))
        #expect(!cut.contains("whole"))
        #expect(cut.contains("unexpected eof while reading"))
    }

    private func read(_ server: ScriptedServer) async throws -> String {
        try await onThread {
            let arguments = ["s_client", "-quiet", "-verify_quiet", "-connect", "127.0.0.1:\(server.port)"]
            return try run("/usr/bin/openssl", arguments, input: "GET / HTTP/1.1\r\n\r\n").output
        }
    }

    @Test("resets within a body, sends raw bytes, holds at a gate")
    func fails() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(
            .generated(byteCount: 1 << 20).reset(afterBodyBytes: 1 << 19),
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nraw"),
            .text("late").held(until: gate),
            tls: .selfSigned
        )
        defer { server.stop() }
        #expect(try await curl(server, "-o", "/dev/null", server.baseURL.absoluteString).status == 56)
        #expect(try await curl(server, server.baseURL.absoluteString).output == "raw")
        async let late = curl(server, server.baseURL.absoluteString)
        try await gate.waiters(count: 1)
        gate.open()
        #expect(try await late.output == "late")
    }

    @Test("keeps the authority in a file that only its owner may read, as long as it runs")
    func keepsFile() throws {
        let server = try ScriptedServer(tls: .selfSigned)
        let path = try #require(server.certificateAuthorityFile)
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        #expect(!text.contains("PRIVATE"))
        let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(permissions == 0o600)
        #expect(server.configuration().certificateAuthorityFile == path)
        #expect(server.configuration().useSecureConnection)

        server.stop()

        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("refuses a name that is none")
    func refusesName() {
        #expect(throws: ScriptedServerError.tls(reason: "\"a b\" is no DNS name")) {
            try ScriptedServer(tls: .selfSigned(names: ["a b"]))
        }
    }

    @Test("stops while a client has not said a word, or only half of one")
    func stops() async throws {
        let server = try ScriptedServer(tls: .selfSigned)
        let silent = try RawClient(port: server.port)
        let halfway = try RawClient(port: server.port).send("\u{16}\u{3}\u{1}")
        while server.connectionCount < 2 { await Task.yield() }
        server.stop()
        #expect(await silent.countToEnd() == 0)
        #expect(await halfway.countToEnd() == 0)
    }
}
