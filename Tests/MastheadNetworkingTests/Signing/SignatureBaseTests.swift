import Foundation
import MastheadCrypto
import MastheadNetworking
import Testing

@Suite("SignatureBase")
struct SignatureBaseTests {
    /// The request of RFC 9421, appendix B.2.
    private static func example() throws -> HTTPRequest {
        HTTPRequest(
            method: .post,
            url: try #require(URL(string: "https://example.com/foo?param=Value&Pet=dog")),
            headers: [
                "Date": "Tue, 20 Apr 2021 02:07:55 GMT", "Content-Type": "application/json",
                "Content-Digest":
                    "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:",
            ],
            body: .data(Data(#"{"hello": "world"}"#.utf8))
        )
    }

    @Test("signs the request of RFC 9421, B.2.5, as it does")
    func vector() throws {
        let base = try SignatureBase(
            ["date", "@authority", "content-type"],
            of: Self.example(),
            parameters: [("created", "1618884473"), ("keyid", #""test-shared-secret""#)]
        )
        #expect(
            base.text == """
                "date": Tue, 20 Apr 2021 02:07:55 GMT
                "@authority": example.com
                "content-type": application/json
                "@signature-params": ("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"
                """
        )
        let secret = "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ=="
        let key = try #require(Data(base64Encoded: secret))
        let code = try AuthenticationCode(of: base.text.utf8, key: key)
        #expect(Data(code.bytes).base64EncodedString() == "pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=")
    }

    @Test("covers no component at all as RFC 9421, B.2.1, has it")
    func minimal() throws {
        let base = try SignatureBase(
            [],
            of: Self.example(),
            parameters: [
                ("created", "1618884473"), ("keyid", #""test-key-rsa-pss""#), ("nonce", #""b3k2pp5k7z-50gnwp.yemd""#),
            ]
        )
        #expect(
            base.text
                == #""@signature-params": ();created=1618884473;keyid="test-key-rsa-pss";nonce="b3k2pp5k7z-50gnwp.yemd""#
        )
    }

    @Test(
        "derives components as RFC 9421, section 2.2, does",
        arguments: [
            ("@method", "https://www.example.com/path?param=value", "POST"),
            ("@target-uri", "https://www.example.com/path?param=value", "https://www.example.com/path?param=value"),
            ("@authority", "https://www.Example.com/path?param=value", "www.example.com"),
            ("@authority", "https://www.example.com:443/", "www.example.com"),
            ("@authority", "http://www.example.com:443/", "www.example.com:443"),
            ("@authority", "http://[::1]:8080/", "[::1]:8080"),
            ("@scheme", "http://www.example.com/path?param=value", "http"),
            ("@path", "https://www.example.com/path?param=value", "/path"),
            ("@path", "https://www.example.com", "/"),
            ("@path", "https://www.example.com/a%2Fb//c", "/a%2Fb//c"),
            (
                "@query", "https://www.example.com/path?param=value&foo=bar&baz=bat%2Dman",
                "?param=value&foo=bar&baz=bat%2Dman"
            ),
            ("@query", "https://www.example.com/path?queryString", "?queryString"),
            ("@query", "https://www.example.com/path?", "?"),
            ("@query", "https://www.example.com/path", "?"),
        ]
    )
    func derived(component: String, url: String, expected: String) throws {
        let request = HTTPRequest(method: .post, url: try #require(URL(string: url)))
        let base = try SignatureBase([component], of: request, parameters: [])
        #expect(base.text == "\"\(component)\": \(expected)\n\"@signature-params\": (\"\(component)\")")
    }

    @Test(
        "takes the authority from a Host field, as a server makes the target URI (RFC 9110, section 7.1)",
        arguments: [
            ("@authority", "http://10.0.0.1:8080/a?b", "WWW.example.com", "www.example.com"),
            ("@authority", "http://10.0.0.1/a?b", "www.example.com:80", "www.example.com"),
            ("@authority", "https://10.0.0.1/a?b", "www.example.com:80", "www.example.com:80"),
            ("@target-uri", "https://10.0.0.1/a?b", " www.example.com:443 ", "https://www.example.com/a?b"),
            ("@scheme", "https://10.0.0.1/a?b", "www.example.com", "https"),
            ("host", "https://10.0.0.1/a?b", "WWW.example.com", "WWW.example.com"),
        ]
    )
    func ownHost(component: String, url: String, host: String, expected: String) throws {
        let request = HTTPRequest(method: .get, url: try #require(URL(string: url)), headers: ["Host": host])
        let base = try SignatureBase([component], of: request, parameters: [])
        #expect(base.text == "\"\(component)\": \(expected)\n\"@signature-params\": (\"\(component)\")")
    }

    @Test("joins the values of one field as RFC 9421, section 2.1, does")
    func fields() throws {
        var request = try Self.example()
        request.headers.append("max-age=60", for: "Cache-Control")
        request.headers.append("   must-revalidate\t", for: "cache-control")
        request.headers.append("", for: "X-Empty")
        let base = try SignatureBase(["cache-control", "x-empty"], of: request, parameters: [])
        #expect(base.text.hasPrefix("\"cache-control\": max-age=60, must-revalidate\n\"x-empty\": \n"))
    }

    @Test("has no component that the request has not", arguments: ["x-none", "@status", "@query-param", "@", ""])
    func missing(component: String) throws {
        let request = try Self.example()
        #expect(throws: RepositoryError.self) { try SignatureBase([component], of: request, parameters: []) }
    }
}
