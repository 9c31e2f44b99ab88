import Foundation
import MastheadCrypto
import MastheadTesting
import Testing

/// What only our own tests set of a server's TLS, as the openssl tool sees it.
@Suite("ServerTLS", .timeLimit(.minutes(1)))
struct ServerTLSTests {
    private let authority: CertificateAuthority
    private let identity: Identity

    init() throws {
        authority = try CertificateAuthority()
        identity = try authority.issue(names: ["localhost"], addresses: ["127.0.0.1"])
    }

    private func server(_ set: (inout TLSServerSettings) throws -> Void = { _ in }) throws -> (
        ScriptedServer, ServerTLS
    ) {
        var settings = TLSServerSettings(identity)
        try set(&settings)
        let tls = try ServerTLS(settings, trusting: [authority.certificate])
        return (try ScriptedServer(secured: tls) { .text($0.target) }, tls)
    }

    /// What `s_client` says of a server, without a request or with one.
    private func ask(_ server: ScriptedServer, _ options: [String] = [], asking: Bool = false) async throws -> String {
        let file = try #require(server.certificateAuthorityFile)
        let input = asking ? "GET /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n" : "Q\n"
        return try await withCheckedThrowingContinuation { continuation in
            Thread {
                let base = ["s_client", "-connect", "127.0.0.1:\(server.port)", "-CAfile", file]
                continuation.resume(
                    with: Result {
                        try run("/usr/bin/openssl", base + (asking ? ["-ign_eof"] : []) + options, input: input).output
                    }
                )
            }.start()
        }
    }

    @Test("serves its chain as it is told, whatever its order or sense")
    func chain() async throws {
        let other = try CertificateAuthority(name: "Stranger")
        let middle = try authority.intermediate(name: "Middle")
        let (server, _) = try server { $0.chain = [other.certificate, middle.certificate, authority.certificate] }
        defer { server.stop() }
        let output = try await ask(server, ["-showcerts"])
        let lines = output.split(separator: "\n").filter { $0.contains(" s:") }
        #expect(
            lines.map { $0.split(separator: "=").last?.trimmingCharacters(in: .whitespaces) }
                == ["localhost", "Stranger", "Middle", "Masthead Test Authority"]
        )
    }

    @Test(
        "agrees to no version beyond its bounds",
        arguments: [
            (.tls11, .tls11, "-tls1_1", "TLSv1.1"), (.tls12, .tls12, "-tls1_2", "TLSv1.2"),
            (.tls12, .tls13, "-tls1_3", "TLSv1.3"), (.tls13, .tls13, "-tls1_2", nil), (.tls12, .tls12, "-tls1_3", nil),
        ] as [(TLSServerSettings.Version, TLSServerSettings.Version, String, String?)]
    )
    func versions(
        minimum: TLSServerSettings.Version,
        maximum: TLSServerSettings.Version,
        asked: String,
        agreed: String?
    ) async throws {
        let (server, tls) = try server {
            $0.minimumVersion = minimum
            $0.maximumVersion = maximum
        }
        defer { server.stop() }
        _ = try await ask(server, [asked, "-cipher", "DEFAULT:@SECLEVEL=0"])
        try await server.closedConnections(count: 1)
        let passage = try #require(tls.passages.first)
        #expect(passage.isAgreed == (agreed != nil))
        if let agreed { #expect(passage.version == agreed) }
    }

    @Test(
        "lets a client go on with its session, or not",
        arguments: [TLSServerSettings.Version.tls12, .tls13],
        TLSServerSettings.Resumption.allCases
    )
    func resumption(version: TLSServerSettings.Version, resumption: TLSServerSettings.Resumption) async throws {
        let (server, tls) = try server {
            $0.maximumVersion = version
            $0.resumption = resumption
        }
        defer { server.stop() }
        let file = NSTemporaryDirectory() + "masthead-session-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        // The request makes sure that the tickets of TLS 1.3 were read.
        _ = try await ask(server, ["-sess_out", file], asking: true)
        if resumption == .none, !FileManager.default.fileExists(atPath: file) {
            #expect(tls.passages.map(\.isResumed) == [false])
            return
        }
        _ = try await ask(server, ["-sess_in", file], asking: true)
        try await server.closedConnections(count: 2)
        #expect(tls.passages.map(\.isResumed) == [false, resumption != .none])
        #expect(tls.passages.allSatisfy { $0.isAgreed })
    }

    @Test("notes the name that was asked for, what was sent and how the client left")
    func passage() async throws {
        let (server, tls) = try server()
        defer { server.stop() }
        _ = try await ask(server, ["-servername", "localhost"], asking: true)
        try await server.closedConnections(count: 1)
        let passage = try #require(tls.passages.first)
        #expect(passage.serverName == "localhost")
        #expect(passage.receivedBytes == "GET /a HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8.count)
        #expect(passage.clientName == nil)
        #expect(passage.version == "TLSv1.3")
    }

    @Test("notes the alert of a client that does not trust it", arguments: ["-tls1_2", "-tls1_3"])
    func alert(version: String) async throws {
        let (server, tls) = try server()
        defer { server.stop() }
        let stranger = try CertificateAuthority(name: "Stranger").certificate.pem()
        let file = NSTemporaryDirectory() + "masthead-\(UUID().uuidString).pem"
        try stranger.write(toFile: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        _ = try await ask(server, [version, "-verify_return_error", "-CAfile", file])
        try await server.closedConnections(count: 1)
        #expect(tls.passages.map(\.alerts) == [["unknown CA"]])
        #expect(tls.passages.map(\.isAgreed) == [false])
        #expect(tls.passages.map(\.receivedBytes) == [0])
    }

    @Test("staples what it is told")
    func staple() async throws {
        let staple = try authority.staple(for: identity.certificate)
        let (server, _) = try server { $0.staple = staple }
        defer { server.stop() }
        let output = try await ask(server, ["-status"])
        #expect(output.contains("OCSP Response Status: successful"))
        #expect(output.contains("Cert Status: good"))
    }

    @Test("demands a client's certificate of its authorities", arguments: [true, false])
    func clientCertificate(isShown: Bool) async throws {
        let clients = try CertificateAuthority(name: "Clients")
        let client = try clients.issue(client: "reader-7")
        let (server, tls) = try server { $0.clientAuthorities = [clients.certificate] }
        defer { server.stop() }
        let file = NSTemporaryDirectory() + "masthead-\(UUID().uuidString).pem"
        try (client.certificate.pem() + client.key.pem()).write(toFile: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: file) }
        let output = try await ask(server, isShown ? ["-cert", file] : [], asking: true)
        try await server.closedConnections(count: 1)
        #expect(output.contains("HTTP/1.1 200 OK") == isShown)
        #expect(tls.passages.map(\.clientName) == [isShown ? "reader-7" : nil])
        #expect(tls.passages.map(\.isAgreed) == [isShown])
    }
}
