import Foundation
import MastheadCrypto
import MastheadTesting
import MastheadTransport
import TestServers
import Testing

@Suite("Settings of TLS", .timeLimit(.minutes(1)))
struct TLSSettingsTests {
    @Test("refuse a server that speaks nothing as new as they want", arguments: [true, false])
    func minimumVersion(isTooOld: Bool) async throws {
        let pinned = try PinnedServer { $0.maximumVersion = isTooOld ? .tls12 : .tls13 }
        let transport = pinned.transport(nil) { $0.tls.minimumVersion = .tls13 }

        let failed = await failure(transport, TransportRequest(url: pinned.url))

        #expect((failed?.tlsReason != nil) == isTooOld)
    }

    @Test("speak nothing older than TLS 1.2 by themselves")
    func oldestVersion() async throws {
        let pinned = try PinnedServer {
            $0.minimumVersion = .tls10
            $0.maximumVersion = .tls11
        }

        #expect(await failure(pinned.transport(nil), TransportRequest(url: pinned.url))?.tlsReason != nil)
    }

    @Test("trust the authorities of a file, and no others")
    func authorities() async throws {
        let pinned = try PinnedServer()
        let other = try CertificateAuthority(name: "Stranger")
        let folder = FileManager.default.temporaryDirectory.appending(path: "masthead-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        func transport(_ authority: CertificateAuthority) throws -> Transport {
            let file = folder.appending(path: UUID().uuidString)
            try Data(try authority.certificate.pem().utf8).write(to: file)
            return Transport(policy: TrustPolicy(certificateAuthorityFile: file.path))
        }

        #expect(await failure(try transport(pinned.root), TransportRequest(url: pinned.url)) == nil)
        #expect(await failure(try transport(other), TransportRequest(url: pinned.url))?.tlsReason != nil)
    }

    @Test("show who the client is to a server that wants to know", arguments: ["pem", "encrypted", "pkcs12"])
    func clientIdentity(form: String) async throws {
        let clients = try CertificateAuthority(name: "Clients")
        let client = try clients.issue(client: "Ada")
        let pinned = try PinnedServer { $0.clientAuthorities = [clients.certificate] }
        let certificate = Array(try client.certificate.pem().utf8)
        let identity =
            switch form {
            case "pem":
                TLSClientIdentity(.pem(certificates: certificate, key: Array(try client.key.pem().utf8)))
            case "encrypted":
                TLSClientIdentity(
                    .pem(certificates: certificate, key: Array(try client.key.pem(passphrase: "open sesame").utf8)),
                    passphrase: "open sesame"
                )
            default:
                TLSClientIdentity(.pkcs12(try client.pkcs12(passphrase: "open sesame")), passphrase: "open sesame")
            }

        let transport = pinned.transport(nil) { $0.tls.clientIdentity = identity }
        #expect(await failure(transport, TransportRequest(url: pinned.url)) == nil)
        #expect(pinned.tls.passages.map(\.clientName) == ["Ada"])
        #expect(await failure(pinned.transport(nil), TransportRequest(url: pinned.url)) != nil)
        #expect(pinned.server.requests.count == 1)
    }

    @Test("fail without asking anybody if the passphrase is wrong, or missing", arguments: ["wrong", nil])
    func wrongPassphrase(passphrase: String?) async throws {
        let clients = try CertificateAuthority(name: "Clients")
        let client = try clients.issue(client: "Ada")
        let pinned = try PinnedServer { $0.clientAuthorities = [clients.certificate] }
        let certificates = Array(try client.certificate.pem().utf8)
        let key = Array(try client.key.pem(passphrase: "open sesame").utf8)
        let forms = [
            TLSClientIdentity.Form.pem(certificates: certificates, key: key),
            .pkcs12(try client.pkcs12(passphrase: "open sesame")),
        ]

        for form in forms {
            let transport = pinned.transport(nil) {
                $0.tls.clientIdentity = TLSClientIdentity(form, passphrase: passphrase)
            }
            let reason = await failure(transport, TransportRequest(url: pinned.url))?.tlsReason
            #expect(reason != nil)
            #expect(reason?.contains("sesame") == false)
        }
    }
}
