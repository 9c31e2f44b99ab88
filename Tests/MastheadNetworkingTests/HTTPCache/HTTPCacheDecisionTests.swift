import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("RFC 9111, sections 4 and 5.2: what is done about a request")
struct HTTPCacheDecisionTests {
    /// What is decided about an answer with a tag, some seconds after it came.
    private func decision(
        _ control: String,
        _ request: HTTPHeaders = [:],
        after seconds: TimeInterval,
        url: String = "https://api.example.com/volumes"
    ) throws -> String {
        let answer = try storedAnswer(["Cache-Control": control, "ETag": "\"a\""], request: cacheRequest(url: url))
        let request = cacheRequest(request, url: url)
        let exchange = CacheExchange(request: request, policy: .standard, candidates: [answer])
        return exchange.decision(at: cacheArrival.addingTimeInterval(seconds)).word
    }

    @Test(
        "goes by what the server says",
        arguments: [
            ("max-age=60", 59, "serve"), ("max-age=60", 60, "validate"), ("no-cache, max-age=60", 0, "validate"),
            ("no-cache=\"X\", max-age=60", 0, "serve"), ("must-revalidate, max-age=60", 59, "serve"),
            ("must-revalidate, max-age=60", 60, "validate"), ("private, max-age=60", 0, "serve"),
            ("public", 0, "validate"),
            ("s-maxage=0, proxy-revalidate, max-age=60", 0, "serve"),
            ("max-age=60, stale-while-revalidate=30", 59, "serve"),
            ("max-age=60, stale-while-revalidate=30", 60, "meanwhile"),
            ("max-age=60, stale-while-revalidate=30", 89, "meanwhile"),
            ("max-age=60, stale-while-revalidate=30", 90, "validate"),
            ("max-age=60, stale-while-revalidate=0", 60, "validate"),
            ("max-age=60, stale-while-revalidate=x", 60, "validate"),
            ("max-age=60, stale-while-revalidate=30, must-revalidate", 60, "validate"),
            ("max-age=60, stale-while-revalidate=30, no-cache", 60, "validate"),
            ("max-age=60, stale-while-revalidate=9999", -60, "validate"),
            ("max-age=60, stale-if-error=9999", 60, "validate"),
        ] as [(String, TimeInterval, String)]
    )
    func obeysServer(control: String, seconds: TimeInterval, expected: String) throws {
        #expect(try decision(control, after: seconds) == expected)
    }

    @Test(
        "goes by what the request says (section 5.2.1)",
        arguments: [
            ("no-cache", "max-age=60", 0, "validate"), ("max-age=0", "max-age=60", 1, "validate"),
            ("max-age=30", "max-age=60", 30, "serve"), ("max-age=30", "max-age=60", 31, "validate"),
            ("max-age=90", "max-age=60", 60, "validate"), ("min-fresh=30", "max-age=60", 30, "serve"),
            ("min-fresh=30", "max-age=60", 31, "validate"),
            ("min-fresh=0", "max-age=60, stale-while-revalidate=30", 61, "validate"),
            ("max-stale=30", "max-age=60", 90, "serve"), ("max-stale=30", "max-age=60", 91, "validate"),
            ("max-stale", "max-age=60", 99999, "serve"), ("max-stale", "max-age=60, must-revalidate", 60, "validate"),
            ("max-stale", "max-age=60, no-cache", 0, "validate"), ("max-stale=x", "max-age=60", 61, "validate"),
            ("max-age=70, max-stale=30", "max-age=60", 70, "serve"),
            ("max-age=70, max-stale=30", "max-age=60", 71, "validate"),
            ("max-age=70", "max-age=60, stale-while-revalidate=30", 65, "validate"),
            ("max-stale, min-fresh=1", "max-age=60", 60, "validate"), ("max-stale", "max-age=60", -60, "validate"),
            ("no-cache", "max-age=60, stale-while-revalidate=30", 60, "validate"),
            ("no-store", "max-age=60", 0, "serve"), ("no-store", "max-age=60", 60, "fetch"),
            ("only-if-cached", "max-age=60", 0, "serve"), ("only-if-cached", "max-age=60", 60, "504"),
            ("only-if-cached, max-stale", "max-age=60", 60, "serve"),
            ("only-if-cached, no-cache", "max-age=60", 0, "504"),
            ("only-if-cached", "max-age=60, stale-while-revalidate=30", 60, "serve"),
        ] as [(String, String, TimeInterval, String)]
    )
    func obeysRequest(request: String, control: String, seconds: TimeInterval, expected: String) throws {
        #expect(try decision(control, ["Cache-Control": request], after: seconds) == expected)
    }

    @Test("Pragma: no-cache asks")
    func obeysPragma() throws {
        #expect(try decision("max-age=60", ["Pragma": "no-cache"], after: 0) == "validate")
        #expect(try decision("max-age=60", ["Pragma": "no-cache", "Cache-Control": "max-stale"], after: 0) == "serve")
    }

    @Test(
        "what is immutable is not asked for by a reload while it is fresh, over https (RFC 8246)",
        arguments: [
            ("max-age=0", 10, "https", "serve"), ("max-age=0", 60, "https", "validate"),
            ("no-cache", 10, "https", "validate"),
            ("max-age=0", 10, "http", "validate"), ("max-age=0, min-fresh=55", 10, "https", "validate"),
        ] as [(String, TimeInterval, String, String)]
    )
    func immutable(request: String, seconds: TimeInterval, scheme: String, expected: String) throws {
        let url = "\(scheme)://api.example.com/volumes"
        let control = "max-age=60, immutable"
        #expect(try decision(control, ["Cache-Control": request], after: seconds, url: url) == expected)
        #expect(try decision("max-age=60", ["Cache-Control": request], after: seconds, url: url) == "validate")
    }

    @Test("without anything stored it asks, or answers 504")
    func nothingStored() {
        #expect(cacheExchange([]).decision(at: cacheArrival) == .fetch)
        #expect(cacheExchange([], ["Cache-Control": "only-if-cached"]).decision(at: cacheArrival) == .unsatisfiable)
    }

    @Test("asks HEAD, and passes other methods by")
    func otherMethods() throws {
        let answer = try storedAnswer(["Cache-Control": "max-age=60"])
        #expect(cacheExchange([answer], method: .head).decision(at: cacheArrival) == .fetch)
        let onlyStored: HTTPHeaders = ["Cache-Control": "only-if-cached"]
        #expect(cacheExchange([answer], onlyStored, method: .head).decision(at: cacheArrival) == .unsatisfiable)
        for method in [HTTPMethod.post, .put, .delete, .patch, .options, "PURGE"] {
            #expect(cacheExchange([answer], onlyStored, method: method).decision(at: cacheArrival) == .bypass)
        }
    }

    @Test(
        "lets the caller's own conditions and ranges pass as they are",
        arguments: ["If-None-Match", "if-modified-since", "If-Match", "If-Unmodified-Since", "If-Range", "Range"]
    )
    func bypasses(field: String) throws {
        let answer = try storedAnswer(["Cache-Control": "max-age=60"])
        let onlyStored: HTTPHeaders = [field: "x", "Cache-Control": "only-if-cached"]
        for method in [HTTPMethod.get, .head] {
            #expect(cacheExchange([answer], [field: "x"], method: method).decision(at: cacheArrival) == .bypass)
            #expect(cacheExchange([answer], onlyStored, method: method).decision(at: cacheArrival) == .unsatisfiable)
        }
    }

    @Test(
        "validates with every validator there is, as the server wrote it (section 4.3.1)",
        arguments: [
            (["ETag": "\"a\""], 200, ["If-None-Match": "\"a\""]),
            (["ETag": " W/\"a\" "], 200, ["If-None-Match": "W/\"a\""]),
            (
                ["Last-Modified": "Sunday, 06-Nov-94 08:49:37 GMT"], 200,
                ["If-Modified-Since": "Sunday, 06-Nov-94 08:49:37 GMT"]
            ),
            (
                ["Last-Modified": cacheArrivalField, "ETag": "\"a\""], 200,
                ["If-None-Match": "\"a\"", "If-Modified-Since": cacheArrivalField]
            ),
            (["ETag": "a", "Last-Modified": "x"], 200, nil), ([:], 200, nil), (["ETag": "\"a\""], 301, nil),
            (["ETag": "\"a\"", "Expires": "0"], 404, nil), (["ETag": "\"a\""], 203, ["If-None-Match": "\"a\""]),
        ] as [(HTTPHeaders, Int, HTTPHeaders?)]
    )
    func validates(headers: HTTPHeaders, status: Int, expected: HTTPHeaders?) throws {
        // A redirect is guessed to be fresh for a while if Last-Modified is there.
        let now = cacheArrival.addingTimeInterval(99999)
        let exchange = cacheExchange([try storedAnswer(headers, status: status)])
        #expect(exchange.decision(at: now) == expected.map { .validate(candidate: 0, adding: $0) } ?? .fetch)
        #expect(exchange.withoutValidators.decision(at: now) == .fetch)
    }

    @Test("asks with the same validators while it serves what is stale")
    func validatesMeanwhile() throws {
        let answer = try storedAnswer(["Cache-Control": "max-age=0, stale-while-revalidate=60", "ETag": "\"a\""])
        let expected = CacheDecision.staleWhileRevalidate(candidate: 0, adding: ["If-None-Match": "\"a\""])
        #expect(cacheExchange([answer]).decision(at: cacheArrival) == expected)
    }

    @Test("what is outdated is validated, however fresh it says it is")
    func outdated() throws {
        let answer = try storedAnswer(["Cache-Control": "max-age=60, stale-while-revalidate=60", "ETag": "\"a\""])
            .outdated
        #expect(cacheExchange([answer]).decision(at: cacheArrival).word == "validate")
        #expect(cacheExchange([answer], ["Cache-Control": "max-stale"]).decision(at: cacheArrival).word == "validate")
    }
}
