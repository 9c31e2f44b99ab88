import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("A URL from a server")
struct PinnedURLTests {
    private let configuration = NetworkingConfiguration(domainURL: "api.example", subdomainURL: "v1")

    @Test(
        "is followed on the configured origin, its path and query untouched",
        arguments: [
            ("http://api.example/v1/volumes?page=2&limit=20", "/v1/volumes?page=2&limit=20"),
            ("https://api.example/v1/volumes?page=2", "/v1/volumes?page=2"), ("HTTP://API.Example:80/v1/x", "/v1/x"),
            ("https://api.example:443/v1/a%2Fb?q=a%2Bb+c%20d", "/v1/a%2Fb?q=a%2Bb+c%20d"),
            ("http://api.example:443/v1/x", "/v1/x"),
            ("https://api.example/v1/x?tags[]=ü", "/v1/x?tags%5B%5D=%C3%BC"), ("https://api.example/v1", "/v1"),
            ("https://api.example/v1/x#top", "/v1/x"), ("/v1/x?page=2", "/v1/x?page=2"),
            ("https://api.example/v1/", "/v1/"), ("https://other.example/v1/x", "/v1/x"),
            ("http://127.0.0.1:8080/v1/x", "/v1/x"), ("https://[::1]/v1/x?a", "/v1/x?a"),
            ("https://api.example/v1/x?next=http://other.example/../x", "/v1/x?next=http://other.example/../x"),
        ]
    )
    func pins(string: String, expected: String) throws {
        #expect(try configuration.url(pinnedToOrigin: string).absoluteString == "https://api.example" + expected)
    }

    @Test(
        "is refused if it leads out of the configured path, or is none",
        arguments: [
            "https://api.example@other.example/v1/x",
            "https://user:p@api.example/v1/x",
            "https://api.example/v2/x", "https://api.example/v1x", "https://api.example/", "https://api.example",
            "https://api.example?x=1", "https://api.example/v1/../admin", "https://api.example/v1/%2E%2e/admin",
            "https://api.example/v1/.%2e/admin", "ftp://api.example/v1/x", "//api.example/v1/x", "v1/x", "",
            "volumes?page=2",
            "javascript:alert(1)", "https://api.example/v1/a b", "https://api.example/v1/x\r\nX: y", "https:///v1/x",
            "https://api.example\\@other.example/v1/x", "https://api.example/v1/\\..\\x", "https://api.example/v1/50%",
            "file:///v1/x", "http:/v1/x", "#", "https://api.example#/v1/x",
            "https://api.example/V1/x", "/v1/../\u{301}x", "/v1/..\u{301}/../\u{301}",
            "https://api.example/v1/..?\u{301}",
        ]
    )
    func refuses(string: String) {
        #expect("\(string)") { try configuration.url(pinnedToOrigin: string) } throws: { error in
            if case RepositoryError.invalidURL = error { true } else { false }
        }
    }

    @Test("keeps a configured port and scheme, for addresses too")
    func keepsPort() throws {
        let local = NetworkingConfiguration(domainURL: "::1", port: 8080) { $0.useSecureConnection = false }

        #expect(try local.url(pinnedToOrigin: "http://[::1]:8080/x").absoluteString == "http://[::1]:8080/x")
        #expect(try local.url(pinnedToOrigin: "https://api.example/x").absoluteString == "http://[::1]:8080/x")
    }
}
