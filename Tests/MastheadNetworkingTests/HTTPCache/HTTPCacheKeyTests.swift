import MastheadNetworking
import Testing

@Suite("RFC 9111, section 2, and RFC 3986, section 6.2: cache keys")
struct HTTPCacheKeyTests {
    @Test(
        "makes one of what is the same for every server",
        arguments: [
            ("https://example.com/a", "https://example.com/a"), ("HTTPS://EXAMPLE.com/a", "https://example.com/a"),
            ("https://example.com:443/a", "https://example.com/a"), ("http://example.com:80/a", "http://example.com/a"),
            ("https://example.com:/a", "https://example.com/a"), ("https://example.com", "https://example.com/"),
            ("https://example.com?a=1", "https://example.com/?a=1"),
            ("https://example.com/a#b", "https://example.com/a"),
            ("https://example.com/%7euser/%e9", "https://example.com/~user/%E9"),
            ("https://example.com/a?q=%41%2f%2F", "https://example.com/a?q=A%2F%2F"),
            ("https://example.com/é", "https://example.com/%C3%A9"),
            ("https://[2001:DB8::1]/", "https://[2001:db8::1]/"),
            ("https://example.com/%", "https://example.com/%"), ("https://example.com/%4", "https://example.com/%4"),
            ("https://example.com/%zz", "https://example.com/%zz"),
        ]
    )
    func normalises(url: String, expected: String) throws {
        let key = try #require(CacheKey(url))
        #expect(key.url == expected)
        #expect(CacheKey(key.url) == key)
    }

    @Test(
        "keeps apart what a server may answer differently",
        arguments: [
            ("https://example.com/a", "http://example.com/a"), ("https://example.com/a", "https://example.com:8443/a"),
            ("http://example.com:443/", "https://example.com/"), ("https://example.com/a", "https://example.com/A"),
            ("https://example.com/a", "https://example.com/a/"), ("https://example.com/a", "https://example.com/a?"),
            ("https://example.com/?a=1&b=2", "https://example.com/?b=2&a=1"),
            ("https://example.com/", "https://example.com./"),
            ("https://example.com/a/b", "https://example.com/a%2Fb"),
            ("https://example.com/a/../b", "https://example.com/b"),
            ("https://example.com/%2E%2E/b", "https://example.com/../b"),
            ("https://example.com/a//b", "https://example.com/a/b"),
            ("https://example.com/a+b", "https://example.com/a%20b"),
            ("https://example.com/a+b", "https://example.com/a%2Bb"),
            ("https://example.com/é", "https://example.com/e\u{301}"),
            ("https://example.com/a", "https://example.org/a"),
        ]
    )
    func keepsApart(left: String, right: String) throws {
        #expect(try #require(CacheKey(left)) != (try #require(CacheKey(right))))
    }

    @Test(
        "has no key for what is not asked over HTTP, or names a user",
        arguments: [
            "", "/a", "ftp://example.com/", "https:///a", "https://me:secret@example.com/", "https://example.com:0/",
            "data:,a",
        ]
    )
    func refuses(url: String) {
        #expect(CacheKey(url) == nil)
        let exchange = CacheExchange(request: cacheRequest(url: url), policy: .standard, candidates: [])
        #expect(exchange.decision(at: cacheArrival) == .bypass)
    }
}
