import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("A configuration that was a repository's")
struct ChangedConfigurationTests {
    @Test("goes the way that was set since")
    func changesRoute() async throws {
        let server = try ScriptedServer(.text("ok"))
        defer { server.stop() }
        let original = NetworkingConfiguration(domainURL: "shop.invalid") { $0.useSecureConnection = false }
        var configuration = AbstractRepository(configuration: original).configuration
        configuration.route = NetworkRoute { $0.addresses = ["shop.invalid": "127.0.0.1:\(server.port)"] }
        let url = try #require(URL(string: "http://shop.invalid/a"))
        let response = try await LibcurlExecutor().execute(HTTPRequest(url: url), configuration)
        #expect(response.status == 200)
    }
}
