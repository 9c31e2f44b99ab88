import MastheadNetworking
import Testing

@Suite("RFC 9111, section 4.4: invalidation")
struct HTTPCacheInvalidationTests {
    private func keys(
        _ method: HTTPMethod,
        _ headers: HTTPHeaders = [:],
        status: Int = 200,
        url: String = "https://example.com/a/b?c"
    ) -> Set<String> {
        let request = CacheRequest(method: method, url: url, headers: [:])
        return Set(request.invalidatedKeys(by: receivedAnswer(headers, status: status)).map(\.url))
    }

    @Test(
        "a method that changes something, or may, invalidates its URL",
        arguments: [.post, .put, .patch, .delete, "PURGE", "get"] as [HTTPMethod]
    )
    func unsafe(method: HTTPMethod) {
        #expect(keys(method) == ["https://example.com/a/b?c"])
        #expect(keys(method, url: "HTTPS://example.com:443/a/b?c#d") == ["https://example.com/a/b?c"])
    }

    @Test(
        "a method that changes nothing invalidates nothing",
        arguments: [.get, .head, .options, "TRACE"] as [HTTPMethod]
    )
    func safe(method: HTTPMethod) {
        #expect(keys(method, ["Location": "/x"]).isEmpty)
    }

    @Test(
        "an error invalidates nothing",
        arguments: [
            (200, true), (201, true), (204, true), (303, true), (399, true), (199, false), (400, false), (404, false),
            (500, false),
        ]
    )
    func byStatus(status: Int, isInvalidating: Bool) {
        #expect(keys(.post, ["Location": "/x"], status: status).isEmpty == !isInvalidating)
    }

    @Test(
        "Location and Content-Location count if they are of the same origin",
        arguments: [
            ("/x", "https://example.com/x"), ("x", "https://example.com/a/x"), ("../x#y", "https://example.com/x"),
            ("?d", "https://example.com/a/b?d"), ("https://EXAMPLE.com:443/x", "https://example.com/x"),
            ("//example.com/x", "https://example.com/x"), (" /x ", "https://example.com/x"),
            ("http://example.com/x", nil),
            ("https://example.org/x", nil), ("https://example.com:8443/x", nil), ("https://me@example.com/x", nil),
            ("data:,x", nil),
        ] as [(String, String?)]
    )
    func named(field: String, expected: String?) {
        let all = Set(["https://example.com/a/b?c"] + [expected].compactMap(\.self))
        #expect(keys(.post, ["Location": field]) == all)
        #expect(keys(.post, ["content-location": field]) == all)
    }

    @Test("both count, and every line of them")
    func both() {
        let found = keys(.put, ["Location": "/x", "Content-Location": "/y", "location": "/z"])
        #expect(
            found == [
                "https://example.com/a/b?c", "https://example.com/x", "https://example.com/y", "https://example.com/z",
            ]
        )
    }

    @Test("a URL without a key invalidates nothing")
    func withoutKey() {
        #expect(keys(.post, ["Location": "https://example.com/"], url: "/a").isEmpty)
    }
}
