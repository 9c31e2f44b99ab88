import MastheadNetworking
import Testing

@Suite("A URL reference")
struct URLReferenceTests {
    // RFC 3986, section 5.4: the base is http://a/b/c/d;p?q.
    @Test(
        "means what RFC 3986 says at its base",
        arguments: [
            ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
            (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
            ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
            ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
            ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
            ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
            ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
            ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
            ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
            ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
            ("g#s/./x", "http://a/b/c/g#s/./x"), ("http:g", "http:g"),
        ]
    )
    func resolves(reference: String, expected: String) {
        let base = URLReference("http://a/b/c/d;p?q")
        #expect(URLReference(reference).resolved(against: base).text == expected)
    }

    @Test("takes the root for the path of a base without one")
    func resolvesAtBareHost() {
        #expect(URLReference("g").resolved(against: URLReference("http://a")).text == "http://a/g")
    }

    @Test(
        "is no colon's prey: what precedes one is a scheme only if it may be",
        arguments: [("1a:b", nil), ("a_b:c", nil), ("HTTP://x", "http"), ("x/y:z", nil), (":x", nil)]
            as [(String, String?)]
    )
    func readsSchemes(text: String, scheme: String?) {
        #expect(URLReference(text).scheme == scheme)
    }
}

@Suite("An origin")
struct OriginTests {
    @Test(
        "is scheme, host and port, the scheme's own port filled in",
        arguments: [
            ("http://a.example/x", "http", "a.example", 80), ("https://A.Example", "https", "a.example", 443),
            ("https://a.example:8443/", "https", "a.example", 8443), ("http://a.example:/", "http", "a.example", 80),
            ("http://[::1]:81/", "http", "[::1]", 81),
            ("https://bücher.example/", "https", "xn--bcher-kva.example", 443),
            ("https://BU\u{308}CHER.example:444/", "https", "xn--bcher-kva.example", 444),
            ("https://b%C3%BCcher.example/", "https", "xn--bcher-kva.example", 443),
            ("https://XN--BCHER-KVA.example/", "https", "xn--bcher-kva.example", 443),
            ("https://ex%61mple.com/", "https", "example.com", 443),
            ("https://faß.example。/", "https", "xn--fa-hia.example.", 443),
        ]
    )
    func reads(text: String, scheme: String, host: String, port: Int) throws {
        let origin = try Origin(URLReference(text))
        #expect((origin.scheme, origin.host, origin.port) == (scheme, host, port))
    }

    @Test(
        "is refused where it could be taken for another",
        arguments: [
            "ftp://a/", "file:///etc/passwd", "a/b", "http:///x", "http://user@a/", "http://user:pass@a/",
            "http://a:0/",
            "http://a:65536/", "http://a:8x/", "http://a b/", "http://a\\@b/", "http://[::1/", "http://[::1]x/",
            "http://[]/", "http://a%2Fb/", "http://ü%2Fb/", "http://ü／b/",
            "http://a%40b/", "http://ü＠b/", "http://%C3/", "http://ü%00/", "http://ü..a/", "http://-ü.example/",
            "http://[fe80::1%25lo]/", "http://%/", "http://a%/",
            "javascript:alert(1)", "http://:80/",
        ]
    )
    func refuses(text: String) {
        #expect(throws: RepositoryError.self) { try Origin(URLReference(text)) }
    }
}
