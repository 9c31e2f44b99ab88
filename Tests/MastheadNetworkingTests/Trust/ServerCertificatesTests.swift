import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import MastheadTransport
import Testing

@Suite("A server's certificates", .timeLimit(.minutes(1)))
struct ServerCertificatesTests {
    @Test("are the chain that was verified, and give pins that a configuration takes")
    func verified() async throws {
        let server = try ScriptedServer(.json("{}"), tls: .selfSigned)
        defer { server.stop() }
        let found = try await ServerCertificates(
            of: "127.0.0.1:\(server.port)",
            certificateAuthorityFile: server.certificateAuthorityFile
        )

        #expect(found.isVerified, "\(found.problems)")
        #expect(found.host == "127.0.0.1" && found.port == server.port)
        #expect(found.certificates.map(\.role) == [.server, .root])
        #expect(found.certificates.last?.subject == "CN=Masthead Test Authority")
        let expiry = try #require(found.certificates.first?.expiry)
        #expect(expiry > Date() && expiry < Date() + 2 * 86_400)
        let configuration = server.configuration { $0.pinning = .publicKeys(found.certificates.map(\.publicKeyPin)) }
        #expect(try configuration.policy?.hosts.first?.pins.count == 2)
        #expect(
            found.certificates.allSatisfy {
                $0.certificatePin.hasPrefix("sha256/") && $0.certificatePin != $0.publicKeyPin
            }
        )
        // The handshake, and nothing over it.
        try await server.closedConnections(count: 1)
        #expect(server.requests.isEmpty && server.problems.isEmpty, "\(server.problems)")
    }

    @Test("are as the server sent them if no trusted authority vouches for it, with a warning")
    func untrusted() async throws {
        let server = try ScriptedServer(.json("{}"), tls: .selfSigned)
        defer { server.stop() }

        let found = try await ServerCertificates(of: "127.0.0.1:\(server.port)")

        #expect(!found.isVerified)
        #expect(found.problems.count == 1 && found.problems[0].contains("no trusted authority"))
        #expect(found.certificates.count == 2)
    }

    @Test(
        "come with what else is wrong with them",
        arguments: [
            (ScriptedServer.TLS.expired, "expired"), (.notYetValid, "not yet valid"),
            (.selfSigned(names: ["other.example"]), "it is not for 127.0.0.1"),
        ]
    )
    func problems(tls: ScriptedServer.TLS, problem: String) async throws {
        let server = try ScriptedServer(.json("{}"), tls: tls)
        defer { server.stop() }

        let found = try await ServerCertificates(
            of: "127.0.0.1:\(server.port)",
            certificateAuthorityFile: server.certificateAuthorityFile
        )

        #expect(found.problems.count == 1 && found.problems[0].contains(problem), "\(found.problems)")
        #expect(!found.certificates.isEmpty)
    }

    @Test("can be asked for by name, and over IPv6")
    func names() async throws {
        let server = try ScriptedServer(.json("{}"), tls: .selfSigned)
        defer { server.stop() }
        let byName = try await ServerCertificates(
            of: "localhost:\(server.port)",
            certificateAuthorityFile: server.certificateAuthorityFile
        )
        #expect(byName.isVerified, "\(byName.problems)")

        guard let six = try? ScriptedServer(.json("{}"), tls: .selfSigned, host: .ipv6) else { return }
        defer { six.stop() }
        let byAddress = try await ServerCertificates(
            of: "[::1]:\(six.port)",
            certificateAuthorityFile: six.certificateAuthorityFile
        )
        #expect(byAddress.isVerified && byAddress.host == "::1")
    }

    @Test("are an error of their own kind where there are none")
    func failures() async throws {
        let plain = try ScriptedServer(.json("{}"))
        let closed = plain.port
        do throws(RepositoryError) {
            _ = try await ServerCertificates(of: "127.0.0.1:\(plain.port)", timeout: .seconds(20))
            Issue.record("a server without TLS has shown certificates")
        } catch {
            #expect(error.label == "tls", "\(error)")
        }
        plain.stop()
        for (server, label) in [
            ("127.0.0.1:\(closed)", "refused"), ("https://a.example", "invalidURL"), ("", "invalidURL"),
            ("nowhere.invalid", "dns"),
        ] {
            do throws(RepositoryError) {
                _ = try await ServerCertificates(of: server)
                Issue.record("\(server) has shown certificates")
            } catch {
                #expect(error.label == label, "\(server): \(error)")
            }
        }
    }

    @Test("are given up at once when the task is cancelled")
    func cancelled() async throws {
        // Nobody accepts: the connection stands, and never says a word.
        let silent = try ListeningSocket(.ipv4)
        let task = Task { () -> String in
            do throws(RepositoryError) {
                _ = try await ServerCertificates(of: "127.0.0.1:\(silent.port)", timeout: .seconds(300))
                return "certificates"
            } catch {
                return error.label
            }
        }
        task.cancel()

        #expect(await task.value == "cancelled")
    }
}
