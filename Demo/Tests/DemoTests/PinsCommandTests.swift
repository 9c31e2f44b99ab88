import Foundation
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("masthead-demo pins", .timeLimit(.minutes(1)))
struct PinsCommandTests {
    @Test("prints the keys of a server, which pin it, and sends nothing but a handshake")
    func prints() async throws {
        let server = try ScriptedServer(.json("{}"), tls: .selfSigned)
        defer { server.stop() }
        let authorities = try #require(server.certificateAuthorityFile)

        let outcome = try await Program.run(["pins", "127.0.0.1:\(server.port)", "--authorities", authorities])

        #expect(outcome.status == 0, "\(outcome.output)")
        let expected = try await ServerCertificates(
            of: "127.0.0.1:\(server.port)",
            certificateAuthorityFile: authorities
        )
        for certificate in expected.certificates {
            #expect(outcome.output.contains("\(certificate.publicKeyPin) \(certificate.subject)"), "\(outcome.output)")
        }
        #expect(outcome.output.contains("openssl genpkey"))
        #expect(server.requests.isEmpty && server.problems.isEmpty)
    }

    @Test("prints what was sent by a server that nobody vouches for, with a warning and no advice")
    func warns() async throws {
        let server = try ScriptedServer(.json("{}"), tls: .selfSigned)
        defer { server.stop() }

        let outcome = try await Program.run(["pins", "localhost:\(server.port)"])

        #expect(outcome.status == 1, "\(outcome.output)")
        #expect(outcome.output.contains("sha256/") && outcome.output.contains("no trusted authority"))
        #expect(outcome.output.contains("may be anybody's") && !outcome.output.contains("$0.pinning"))
    }

    @Test("says why there are none", arguments: [["pins", "nowhere.invalid"], ["pins", "https://a.example"]])
    func fails(arguments: [String]) async throws {
        let outcome = try await Program.run(arguments)

        #expect(outcome.status == 1, "\(outcome.output)")
        #expect(!outcome.output.contains("sha256/"))
    }

    @Test("needs a server")
    func needsServer() async throws {
        let outcome = try await Program.run(["pins"])

        #expect(outcome.status == 2 && outcome.output.contains("usage:"), "\(outcome.output)")
    }
}
