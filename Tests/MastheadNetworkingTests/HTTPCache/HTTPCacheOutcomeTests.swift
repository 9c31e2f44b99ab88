import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("RFC 9111, sections 3 and 4.3.3 to 4.3.5: what an answer does")
struct HTTPCacheOutcomeTests {
    private static let tagged: HTTPHeaders = ["ETag": "\"a\"", "Cache-Control": "max-age=60"]

    @Test("a whole answer takes the place of all that were for such a request")
    func replaces() throws {
        let vary: HTTPHeaders = ["Vary": "X", "Cache-Control": "max-age=60"]
        let one = try storedAnswer(vary, request: cacheRequest(["X": "1"]))
        let two = try storedAnswer(vary, request: cacheRequest(["X": "2"]))
        let new = receivedAnswer(vary, after: 70)
        let expected = try StoredAnswer(storing: new, to: cacheRequest(["X": "2"]))
        #expect(cacheExchange([one, two, two], ["X": "2"]).outcome(of: new) == .store(expected, replacing: [1, 2]))
        #expect(cacheExchange([one], ["X": "3"]).outcome(of: new).word == "store")
    }

    @Test(
        "what is not stored overtakes what is, if it is an answer",
        arguments: [
            (200, ["Cache-Control": "no-store"], "remove"), (200, ["Vary": "*"], "remove"), (201, [:], "remove"),
            (302, [:], "remove"), (404, [:], "remove"), (410, ["Cache-Control": "no-store"], "remove"),
            (206, [:], "pass"),
            (400, [:], "pass"), (401, [:], "pass"), (403, [:], "pass"), (408, [:], "pass"), (429, [:], "pass"),
            (500, [:], "pass"),
            (501, [:], "pass"), (503, ["Cache-Control": "max-age=60"], "pass"),
            (404, ["Cache-Control": "max-age=60"], "store"),
        ] as [(Int, HTTPHeaders, String)]
    )
    func overtakes(status: Int, headers: HTTPHeaders, expected: String) throws {
        let exchange = cacheExchange([try storedAnswer(Self.tagged), try storedAnswer(Self.tagged)])
        let outcome = exchange.outcome(of: receivedAnswer(headers, status: status))
        #expect(outcome.word == expected)
        if expected == "remove" { #expect(outcome == .pass(removing: [0, 1])) }
    }

    @Test("a request that is not to be stored, or is the caller's own, touches nothing")
    func touchesNothing() throws {
        let old = try storedAnswer(Self.tagged)
        for headers in [["Cache-Control": "no-store"], ["If-None-Match": "\"a\""], ["Range": "bytes=0-1"]]
            as [HTTPHeaders]
        {
            for status in [200, 206, 304, 404, 503] {
                let outcome = cacheExchange([old], headers, policy: .networkFirst()).outcome(
                    of: receivedAnswer(Self.tagged, status: status)
                )
                let mayStandIn = headers["Cache-Control"] != nil && status == 503
                #expect(outcome == (mayStandIn ? .fallBack(candidate: 0) : .pass(removing: [])))
            }
        }
        #expect(cacheExchange([old], method: .post).outcome(of: receivedAnswer(Self.tagged)) == .pass(removing: []))
    }

    @Test("trouble is stood in for as the policy allows", arguments: [500, 502, 503, 504])
    func fallsBack(status: Int) throws {
        let old = try storedAnswer(["Cache-Control": "max-age=60, stale-if-error=60", "ETag": "\"a\""])
        let trouble = receivedAnswer(["Cache-Control": "max-age=60"], status: status, after: 70)
        #expect(cacheExchange([old]).outcome(of: trouble) == .fallBack(candidate: 0))
        #expect(cacheExchange([old], policy: .networkOnly).outcome(of: trouble) == .pass(removing: []))
        let later = receivedAnswer([:], status: status, after: 120)
        #expect(cacheExchange([old]).outcome(of: later) == .pass(removing: []))
        #expect(cacheExchange([old], policy: .networkFirst()).outcome(of: later) == .fallBack(candidate: 0))
    }

    @Test(
        "a 304 speaks of what it names (section 4.3.4)",
        arguments: [
            (["ETag": "\"a\""], ["ETag": "\"a\""], "freshen"), (["ETag": "\"a\""], ["ETag": "\"b\""], "again"),
            (["ETag": "W/\"a\""], ["ETag": "W/\"a\""], "freshen"), (["ETag": "W/\"a\""], ["ETag": "\"a\""], "freshen"),
            (["ETag": "\"a\""], ["ETag": "W/\"a\""], "freshen"), (["ETag": "W/\"a\""], ["ETag": "W/\"b\""], "again"),
            (["ETag": "\"a\""], ["ETag": "a"], "again"), (["ETag": "\"a\""], [:], "freshen"),
            (["ETag": "\"a\""], ["ETag": "\"a\"", "Last-Modified": cacheArrivalField], "freshen"),
            (["Last-Modified": cacheArrivalField], ["Last-Modified": cacheArrivalField], "freshen"),
            (["Last-Modified": cacheArrivalField], ["Last-Modified": "Sunday, 06-Nov-94 08:49:37 GMT"], "freshen"),
            (["Last-Modified": cacheArrivalField], ["Last-Modified": "Sun, 06 Nov 1994 08:49:38 GMT"], "again"),
            (["Last-Modified": cacheArrivalField], [:], "freshen"),
            (["Last-Modified": cacheArrivalField], ["ETag": "\"a\""], "again"),
            ([:], [:], "pass"), ([:], ["ETag": "\"a\""], "pass"),
        ] as [(HTTPHeaders, HTTPHeaders, String)]
    )
    func notModified(old: HTTPHeaders, new: HTTPHeaders, expected: String) throws {
        let exchange = cacheExchange([try storedAnswer(old)])
        #expect(exchange.outcome(of: receivedAnswer(new, status: 304)).word == expected)
        #expect(exchange.withoutValidators.outcome(of: receivedAnswer(new, status: 304)) == .pass(removing: []))
    }

    @Test("a strong tag freshens all that have it, another only what was asked for")
    func freshensAll() throws {
        func variant(_ value: String, _ tag: String) throws -> StoredAnswer {
            try storedAnswer(["Vary": "X", "ETag": tag], request: cacheRequest(["X": value]))
        }
        let candidates = [
            try variant("1", "\"a\""), try variant("2", "\"a\""), try variant("2", "\"b\""),
            try variant("3", "W/\"a\""),
        ]
        func freshened(_ value: String, _ tag: String) -> (Int, [Int])? {
            let outcome = cacheExchange(candidates, ["X": value]).outcome(
                of: receivedAnswer(["ETag": tag, "New": "1"], status: 304, after: 9)
            )
            guard case .freshen(let candidate, let served, let updates, let removed) = outcome else { return nil }
            #expect(removed.isEmpty && served == updates[candidate])
            for (place, new) in updates {
                #expect(new.headers["New"] == "1" && new.variant == candidates[place].variant)
                #expect(new.responseTime == cacheArrival.addingTimeInterval(9))
            }
            return (candidate, updates.keys.sorted())
        }

        let (one, all) = try #require(freshened("1", "\"a\""))
        #expect(one == 0 && all == [0, 1])
        let (weak, only) = try #require(freshened("1", "W/\"a\""))
        #expect(weak == 0 && only == [0])
        let (other, both) = try #require(freshened("3", "\"a\""))
        #expect(other == 3 && both == [0, 1, 3])
        // A tag that another variant has, and not the one that was asked for.
        #expect(
            cacheExchange(candidates, ["X": "1"]).outcome(of: receivedAnswer(["ETag": "\"b\""], status: 304))
                == .fetchAgain
        )
    }

    @Test("a 304 replaces the fields it has, but those of the bytes that are kept (section 3.2)")
    func merges() throws {
        let old = try storedAnswer([
            "ETag": "W/\"a\"", "Cache-Control": "max-age=60", "cache-control": "must-revalidate", "Content-Type": "a/b",
            "Content-Length": "10", "Content-Encoding": "gzip", "Content-Range": "x", "Age": "500",
            "Date": "Sun, 06 Nov 1994 08:39:37 GMT",
            "X": "1", "x": "2", "Y": "3",
        ])
        let new = receivedAnswer(
            [
                "etag": "\"a\"", "cache-control": "max-age=600", "Content-Type": "a/c", "Content-Length": "0",
                "Content-Encoding": "br",
                "Content-Range": "y", "x": "4", "Z": "5", "Z": "6", "Connection": "Hop", "Hop": "1",
                "Set-Cookie": "id=1",
            ],
            status: 304,
            after: 70
        )
        guard case .freshen(0, let head, let updates, []) = cacheExchange([old]).outcome(of: new) else {
            Issue.record("not freshened")
            return
        }
        #expect(
            head.headers == [
                "ETag": "W/\"a\"", "Content-Length": "10", "Content-Encoding": "gzip", "Content-Range": "x", "Y": "3",
                "cache-control": "max-age=600", "Content-Type": "a/c", "x": "4", "Z": "5", "Z": "6",
            ]
        )
        #expect(updates == [0: head])
        #expect(head.status == 200 && head.requestTime == new.requestTime && head.responseTime == new.responseTime)
        // Nothing is left of its former age.
        #expect(head.freshness.age(at: new.responseTime) == 0)
        #expect(head.freshness.lifetime == 600 && !head.control.mustRevalidate)
    }

    @Test("a 304 makes fresh again what was outdated, by its own lifetime or the stored one")
    func freshensOutdated() throws {
        let old = try storedAnswer(Self.tagged).outdated
        guard
            case .freshen(_, let head, _, _) = cacheExchange([old]).outcome(
                of: receivedAnswer(["ETag": "\"a\""], status: 304, after: 90)
            )
        else {
            Issue.record("not freshened")
            return
        }
        #expect(
            head.isFresh(at: cacheArrival.addingTimeInterval(149))
                && !head.isFresh(at: cacheArrival.addingTimeInterval(150))
        )
    }

    @Test(
        "what a 304 forbids to keep is served once more, and taken out",
        arguments: [
            (["Cache-Control": "no-store"], false), (["Vary": "*"], false),
            (["Cache-Control": "no-store, must-understand"], true),
        ] as [(HTTPHeaders, Bool)]
    )
    func takesOut(headers: HTTPHeaders, isKept: Bool) throws {
        let old = try storedAnswer(Self.tagged)
        let outcome = cacheExchange([old]).outcome(of: receivedAnswer(headers, status: 304))
        guard case .freshen(0, let head, let updates, let removed) = outcome else {
            Issue.record("not freshened")
            return
        }
        #expect(removed == (isKept ? [] : [0]) && updates.isEmpty == !isKept)
        #expect(head.headers["ETag"] == "\"a\"")
    }

    @Test("a 304 with a new Vary makes it the answer for such requests")
    func changesVary() throws {
        let old = try storedAnswer(Self.tagged)
        let outcome = cacheExchange([old], ["X": "1"]).outcome(of: receivedAnswer(["Vary": "X"], status: 304))
        guard case .freshen(_, let head, _, _) = outcome else {
            Issue.record("not freshened")
            return
        }
        #expect(head.variant.matches(["X": "1"]) && !head.variant.matches([:]))
    }

    /// `+` is freshened, `-` is outdated, `.` nothing.
    @Test(
        "HEAD freshens what it describes, and makes outdated what it does not (section 4.3.5)",
        arguments: [
            (["ETag": "\"a\""], 200, "+"), (["ETag": "W/\"a\""], 200, "+"), (["ETag": "\"b\""], 200, "-"),
            (["ETag": "b"], 200, "-"),
            (["Last-Modified": cacheArrivalField], 200, "+"),
            (["Last-Modified": "Sun, 06 Nov 1994 08:49:38 GMT"], 200, "-"),
            (["Last-Modified": "x"], 200, "-"), (["Content-Length": "10"], 200, "+"),
            (["Content-Length": "11"], 200, "-"), ([:], 200, "+"),
            (["ETag": "\"a\"", "Content-Length": "11"], 200, "-"), (["ETag": "\"b\""], 404, "."),
            (["ETag": "\"b\""], 304, "."),
            (["ETag": "\"b\""], 503, "."),
        ] as [(HTTPHeaders, Int, String)]
    )
    func head(headers: HTTPHeaders, status: Int, expected: String) throws {
        let old = try storedAnswer([
            "ETag": "\"a\"", "Last-Modified": cacheArrivalField, "Content-Length": "10", "Cache-Control": "max-age=60",
        ])
        var new = headers
        new.append("max-age=600", for: "Cache-Control")
        let outcome = cacheExchange([old], method: .head).outcome(of: receivedAnswer(new, status: status, after: 30))
        switch outcome {
        case .update(let updates, let removed):
            #expect(removed.isEmpty)
            let head = try #require(updates[0])
            #expect(expected == (head.isOutdated ? "-" : "+"))
            #expect(head.headers["Cache-Control"] == (head.isOutdated ? "max-age=60" : "max-age=600"))
            #expect(head.headers["Content-Length"] == "10")
        default:
            #expect(expected == "." && outcome == .pass(removing: []))
        }
    }

    @Test("HEAD says nothing of other variants, nor with no-store or a condition; what it forbids to keep goes")
    func headElsewhere() throws {
        let old = try storedAnswer(["Vary": "X", "ETag": "\"a\""], request: cacheRequest(["X": "1"]))
        let new = receivedAnswer(["ETag": "\"b\""])
        func outcome(_ headers: HTTPHeaders, _ new: ReceivedAnswer) -> CacheOutcome {
            cacheExchange([old], headers, method: .head).outcome(of: new)
        }
        #expect(outcome(["X": "1"], new) == .update([0: old.outdated], removing: []))
        #expect(outcome(["X": "2"], new) == .pass(removing: []))
        #expect(outcome(["X": "1", "Cache-Control": "no-store"], new) == .pass(removing: []))
        #expect(outcome(["X": "1", "If-None-Match": "\"b\""], new) == .pass(removing: []))
        #expect(outcome(["X": "1"], receivedAnswer(["Cache-Control": "no-store"])) == .update([:], removing: [0]))
    }
}
