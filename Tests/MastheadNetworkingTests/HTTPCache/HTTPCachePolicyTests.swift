import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("What an app wants of the cache")
struct HTTPCachePolicyTests {
    private static let policies: [CachePolicy] = [
        .standard, .staleWhileRevalidate, .cacheFirst(), .cacheFirst(maxAge: .seconds(90)), .networkFirst(),
        .networkOnly, .cacheOnly,
    ]

    /// A row of the table for each policy: `standard`, `staleWhileRevalidate`, `cacheFirst`, the same for 90 seconds,
    /// `networkFirst`, `networkOnly`, `cacheOnly`.
    @Test(
        "decides by policy, server and age",
        arguments: [
            ("max-age=60", 59, "serve serve serve serve validate validate serve"),
            ("max-age=60", 60, "validate meanwhile serve serve validate validate serve"),
            ("max-age=60", 91, "validate meanwhile serve validate validate validate serve"),
            ("max-age=600", 91, "serve serve serve validate validate validate serve"),
            ("max-age=60", -60, "validate meanwhile serve validate validate validate serve"),
            ("public", 0, "validate meanwhile serve serve validate validate serve"),
            ("max-age=60, must-revalidate", 59, "serve serve serve serve validate validate serve"),
            ("max-age=60, must-revalidate", 60, "validate validate validate validate validate validate 504"),
            ("max-age=60, no-cache", 0, "validate validate validate validate validate validate 504"),
            ("max-age=60, stale-while-revalidate=9", 60, "meanwhile meanwhile serve serve validate validate serve"),
        ] as [(String, TimeInterval, String)]
    )
    func decides(control: String, seconds: TimeInterval, expected: String) throws {
        let answer = try storedAnswer(["Cache-Control": control, "ETag": "\"a\""])
        let now = cacheArrival.addingTimeInterval(seconds)
        let words = Self.policies.map { cacheExchange([answer], policy: $0).decision(at: now).word }
        #expect(words.joined(separator: " ") == expected)
    }

    @Test(
        "a request may be stricter than the policy, except for what is only stored",
        arguments: [
            ("no-cache", 0, "validate validate validate validate validate validate serve"),
            ("no-cache", 60, "validate validate validate validate validate validate serve"),
            ("max-age=30", 31, "validate validate validate validate validate validate serve"),
            ("max-age=65", 61, "validate validate serve serve validate validate serve"),
            ("max-age=65", 66, "validate validate validate validate validate validate serve"),
            ("min-fresh=30", 30, "serve serve serve serve validate validate serve"),
            ("min-fresh=30", 31, "validate validate validate validate validate validate serve"),
            ("min-fresh=0", 60, "validate validate validate validate validate validate serve"),
            ("max-stale=10", 70, "serve serve serve serve validate validate serve"),
            ("only-if-cached", 60, "504 serve serve serve 504 504 serve"),
            ("no-store", 60, "fetch meanwhile serve serve fetch fetch serve"),
        ] as [(String, TimeInterval, String)]
    )
    func obeysRequest(request: String, seconds: TimeInterval, expected: String) throws {
        let answer = try storedAnswer(["Cache-Control": "max-age=60", "ETag": "\"a\""])
        let now = cacheArrival.addingTimeInterval(seconds)
        let words = Self.policies.map {
            cacheExchange([answer], ["Cache-Control": request], policy: $0).decision(at: now).word
        }
        #expect(words.joined(separator: " ") == expected)
    }

    @Test("without anything stored it asks, or has an error")
    func nothingStored() {
        let words = Self.policies.map { cacheExchange([], policy: $0).decision(at: cacheArrival).word }
        #expect(words == ["fetch", "fetch", "fetch", "fetch", "fetch", "fetch", "504"])
    }

    @Test("what is stored only is not asked for with HEAD, a condition or a range, but the rest is sent")
    func asksNobody() throws {
        let answer = try storedAnswer(["Cache-Control": "max-age=60"])
        #expect(cacheExchange([answer], policy: .cacheOnly, method: .head).decision(at: cacheArrival) == .unsatisfiable)
        #expect(
            cacheExchange([answer], ["Range": "bytes=0-1"], policy: .cacheOnly).decision(at: cacheArrival)
                == .unsatisfiable
        )
        #expect(cacheExchange([answer], policy: .cacheOnly, method: .post).decision(at: cacheArrival) == .bypass)
        for policy in Self.policies.dropLast() {
            #expect(cacheExchange([answer], policy: policy, method: .head).decision(at: cacheArrival) == .fetch)
            #expect(
                cacheExchange([answer], ["Range": "bytes=0-1"], policy: policy).decision(at: cacheArrival) == .bypass
            )
        }
    }

    @Test(
        "an error, and a redirect for then, is served while it is fresh and no longer",
        arguments: [
            (404, false), (410, false), (302, false), (307, false), (300, false), (301, true), (308, true), (203, true),
        ]
    )
    func servesNoOldErrors(status: Int, isServed: Bool) throws {
        let answer = try storedAnswer(["Cache-Control": "max-age=60, stale-if-error=999"], status: status)
        for policy in [CachePolicy.cacheFirst(), .cacheOnly, .staleWhileRevalidate] {
            #expect(cacheExchange([answer], policy: policy).decision(at: cacheArrival) == .fresh(candidate: 0))
            let later = cacheExchange([answer], policy: policy).decision(at: cacheArrival.addingTimeInterval(60)).word
            #expect(["serve", "meanwhile"].contains(later) == isServed)
        }
        for policy in [CachePolicy.networkFirst(), .standard] {
            let exchange = cacheExchange([answer], policy: policy)
            #expect(exchange.fallback(after: .unreachable, at: cacheArrival) == 0)
            #expect(
                exchange.fallback(after: .unreachable, at: cacheArrival.addingTimeInterval(60)) == (isServed ? 0 : nil)
            )
        }
    }

    @Test("what is outdated is served only to who takes it at any age")
    func outdated() throws {
        let answer = try storedAnswer(["Cache-Control": "max-age=60", "ETag": "\"a\""]).outdated
        let words = Self.policies.map { cacheExchange([answer], policy: $0).decision(at: cacheArrival).word }
        #expect(words.joined(separator: " ") == "validate meanwhile serve serve validate validate serve")
    }

    /// For each policy, and `networkFirst` for 90 seconds at the end: whether what is stored stands in.
    @Test(
        "falls back on what is stored as far as policy and server allow",
        arguments: [
            ("max-age=60", "", 0, "----+--+"), ("max-age=60", "", 90, "----+--+"), ("max-age=60", "", 91, "----+---"),
            ("max-age=60", "", -60, "----+--+"), ("max-age=60", "", -91, "----+---"),
            ("max-age=60, must-revalidate", "", 59, "----+--+"), ("max-age=60, must-revalidate", "", 60, "--------"),
            ("max-age=60, no-cache", "", 0, "--------"), ("max-age=60, no-cache, stale-if-error=99", "", 0, "--------"),
            ("max-age=60, must-revalidate, stale-if-error=99", "", 60, "--------"),
            ("max-age=60, stale-if-error=30", "", 60, "+++++--+"),
            ("max-age=60, stale-if-error=30", "", 89, "+++++--+"),
            ("max-age=60, stale-if-error=30", "", 90, "----+--+"), ("max-age=60, stale-if-error=0", "", 60, "----+--+"),
            ("max-age=60", "stale-if-error=30", 60, "+++++--+"), ("max-age=60", "stale-if-error=30", 90, "----+--+"),
            ("max-age=60, stale-if-error=10", "stale-if-error=30", 80, "+++++--+"),
            ("max-age=60, stale-if-error=30", "no-cache", 60, "----+--+"),
            ("max-age=60, stale-if-error=30", "no-cache, stale-if-error=10", 60, "+++++--+"),
        ] as [(String, String, TimeInterval, String)]
    )
    func fallsBack(control: String, request: String, seconds: TimeInterval, expected: String) throws {
        let answer = try storedAnswer(["Cache-Control": control])
        let now = cacheArrival.addingTimeInterval(seconds)
        for failure in [CacheFailure.unreachable, .trouble] {
            let marks = (Self.policies + [.networkFirst(fallback: .seconds(90))]).map { policy in
                cacheExchange([answer], ["Cache-Control": request], policy: policy).fallback(after: failure, at: now)
                    == 0
                    ? "+" : "-"
            }
            #expect(marks.joined() == expected)
        }
    }

    @Test("nothing stands in where nothing is stored, nor for HEAD, POST or a range")
    func fallsBackOnNothing() throws {
        let answer = try storedAnswer(["Cache-Control": "max-age=60, stale-if-error=60"])
        for policy in [CachePolicy.networkFirst(), .standard] {
            #expect(cacheExchange([], policy: policy).fallback(after: .unreachable, at: cacheArrival) == nil)
            #expect(
                cacheExchange([answer], ["Range": "x"], policy: policy).fallback(after: .unreachable, at: cacheArrival)
                    == nil
            )
            #expect(
                cacheExchange([answer], policy: policy, method: .head).fallback(after: .unreachable, at: cacheArrival)
                    == nil
            )
            #expect(
                cacheExchange([answer], policy: policy, method: .post).fallback(after: .unreachable, at: cacheArrival)
                    == nil
            )
        }
    }

    @Test("trouble are the statuses of RFC 5861, section 4")
    func knowsTrouble() {
        #expect((0...999).filter { CacheFailure(status: $0) != nil } == [500, 502, 503, 504])
    }
}
