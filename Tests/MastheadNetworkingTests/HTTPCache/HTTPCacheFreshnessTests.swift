import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("RFC 9111, section 4.2: freshness")
struct HTTPCacheFreshnessTests {
    @Test(
        "takes the lifetime from max-age, else from Expires less Date (section 4.2.1)",
        arguments: [
            (["Cache-Control": "max-age=60"], 60), (["Cache-Control": "max-age=0"], 0),
            (["Cache-Control": "max-age=x", "Expires": "Sun, 06 Nov 1994 09:49:37 GMT"], 0),
            (["Cache-Control": "max-age=60", "Expires": "Sun, 06 Nov 1994 09:49:37 GMT"], 60),
            (["Cache-Control": "max-age=3600", "Expires": "0"], 3600), (["Cache-Control": "s-maxage=60, max-age=5"], 5),
            (["Expires": "Sun, 06 Nov 1994 09:49:37 GMT"], 3600), (["Expires": "Sunday, 06-Nov-94 09:49:37 GMT"], 3600),
            (["Expires": "Sun Nov  6 09:49:37 1994"], 3600), (["Expires": "0"], 0), (["Expires": "-1"], 0),
            (["Expires": ""], 0),
            (["Expires": "Sun, 06 Nov 1994 09:49:37 UTC"], 0), (["Expires": "Sun, 06 Nov 1994 08:49:36 GMT"], 0),
            (["Expires": "Fri, 31 Dec 9999 23:59:59 GMT"], 2_147_483_648),
            (["Expires": "Sun, 06 Nov 1994 09:49:37 GMT", "Date": "Sun, 06 Nov 1994 09:48:37 GMT"], 60),
            (["Expires": "Sun, 06 Nov 1994 09:49:37 GMT", "Date": "x"], 3600),
            (["Expires": "Sun, 06 Nov 1994 09:49:37 GMT", "expires": "Sun, 06 Nov 1994 08:49:47 GMT"], 10),
            (["Expires": "Sun, 06 Nov 1994 09:49:37 GMT", "expires": "x"], 0),
        ] as [(HTTPHeaders, TimeInterval)]
    )
    func explicitLifetime(headers: HTTPHeaders, expected: TimeInterval) throws {
        let freshness = try storedAnswer(headers).freshness
        #expect(freshness.lifetime == expected)
        #expect(freshness.isExplicit)
    }

    @Test(
        "guesses a tenth of the time since the last change, a day at most (section 4.2.2)",
        arguments: [
            (["Last-Modified": "Sun, 06 Nov 1994 08:39:37 GMT"], 60),
            (["Last-Modified": "Sat, 05 Nov 1994 08:49:37 GMT"], 8640),
            (["Last-Modified": "Thu, 06 Nov 1969 08:49:37 GMT"], 86400),
            (["Last-Modified": "Mon, 07 Nov 1994 08:49:37 GMT"], 0),
            (["Last-Modified": "x"], 0), ([:], 0), (["Cache-Control": "s-maxage=60"], 0),
            (["Last-Modified": "Sun, 06 Nov 1994 08:39:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:27 GMT"], 59),
        ] as [(HTTPHeaders, TimeInterval)]
    )
    func heuristicLifetime(headers: HTTPHeaders, expected: TimeInterval) throws {
        let freshness = try storedAnswer(headers).freshness
        #expect(freshness.lifetime == expected)
        #expect(!freshness.isExplicit)
    }

    @Test("guesses only for statuses that may be guessed for, or with public")
    func guessesByStatus() throws {
        let modified = "Sun, 06 Nov 1994 08:39:37 GMT"
        #expect(try storedAnswer(["Last-Modified": modified], status: 301).freshness.lifetime == 60)
        #expect(
            try storedAnswer(["Last-Modified": modified, "Cache-Control": "private"], status: 302).freshness.lifetime
                == 0
        )
        #expect(
            try storedAnswer(["Last-Modified": modified, "Cache-Control": "public"], status: 302).freshness.lifetime
                == 60
        )
    }

    @Test("is fresh before its lifetime is over, not when it is")
    func endsOnTheSecond() throws {
        let answer = try storedAnswer(["Cache-Control": "max-age=60", "Date": cacheArrivalField])
        #expect(answer.isFresh(at: cacheArrival))
        #expect(answer.isFresh(at: cacheArrival.addingTimeInterval(59.9)))
        #expect(!answer.isFresh(at: cacheArrival.addingTimeInterval(60)))
        #expect(answer.freshness.staleness(at: cacheArrival.addingTimeInterval(59)) == 0)
        #expect(answer.freshness.staleness(at: cacheArrival.addingTimeInterval(75)) == 15)
        #expect(!answer.outdated.isFresh(at: cacheArrival))
        #expect(try !storedAnswer(["Cache-Control": "max-age=60, no-cache"]).isFresh(at: cacheArrival))
    }

    @Test(
        "adds up the age (section 4.2.3)",
        arguments: [
            ([:], 0, 0, 0), ([:], 2, 0, 2), ([:], 2, 10, 12), (["Age": "30"], 2, 10, 42),
            (["Date": "Sun, 06 Nov 1994 08:48:37 GMT"], 2, 10, 70),
            (["Date": "Sun, 06 Nov 1994 08:48:37 GMT", "Age": "30"], 2, 10, 70),
            (["Date": "Sun, 06 Nov 1994 08:48:37 GMT", "Age": "90"], 2, 10, 102),
            (["Date": "Sun, 06 Nov 1994 09:48:37 GMT"], 0, 10, 10),
            (["Date": "Sat, 05 Nov 1994 08:49:37 GMT"], 0, 0, 86400),
            (["Date": "Sat, 05 Nov 1994 08:49:36 GMT"], 2, 10, 12),
            (["Date": "x", "Age": "30"], 0, 0, 30),
            (["Age": "30, 60"], 0, 0, 30), (["Age": "30", "age": "60"], 0, 0, 30), (["Age": "-30"], 0, 0, 0),
            (["Age": "30.0"], 0, 0, 0),
            (["Age": "x"], 0, 0, 0), (["Age": ""], 0, 0, 0), (["Age": "x, 30"], 0, 0, 0),
            (["Age": "99999999999999999999"], 0, 0, 2_147_483_648), ([:], -3600, 10, 10),
        ] as [(HTTPHeaders, TimeInterval, TimeInterval, TimeInterval)]
    )
    func age(headers: HTTPHeaders, delay: TimeInterval, later: TimeInterval, expected: TimeInterval) throws {
        let received = ReceivedAnswer(
            status: 200,
            headers: headers,
            requestTime: cacheArrival.addingTimeInterval(-delay),
            responseTime: cacheArrival
        )
        let answer = try StoredAnswer(storing: received, to: cacheRequest())
        #expect(answer.freshness.age(at: cacheArrival.addingTimeInterval(later)) == expected)
    }

    @Test(
        "whatever a clock does, no age is negative, and nothing from the future is fresh",
        arguments: [
            (0, true, 0), (-1, true, 0), (-5, true, 0), (-6, false, 6), (-3600, false, 3600),
            (-31_536_000, false, 31_536_000),
            (599, true, 599), (600, false, 600), (31_536_000, false, 31_536_000),
        ] as [(TimeInterval, Bool, TimeInterval)]
    )
    func survivesClocks(offset: TimeInterval, isFresh: Bool, age: TimeInterval) throws {
        let answer = try storedAnswer(["Cache-Control": "max-age=600", "Date": cacheArrivalField])
        let now = cacheArrival.addingTimeInterval(offset)
        #expect(answer.isFresh(at: now) == isFresh)
        #expect(answer.freshness.age(at: now) == age)
    }

    @Test("after the clock was set, each answer is validated once", arguments: [-3600, 31_536_000] as [TimeInterval])
    func validatesOnce(offset: TimeInterval) throws {
        let old = try storedAnswer(["Cache-Control": "max-age=600", "Date": cacheArrivalField, "ETag": "\"a\""])
        let now = cacheArrival.addingTimeInterval(offset)
        let first = cacheExchange([old])
        #expect(first.decision(at: now).word == "validate")
        // The server's own clock is right, before and after.
        let notModified = receivedAnswer(
            ["ETag": "\"a\"", "Date": "Sun, 06 Nov 1994 08:49:47 GMT"],
            status: 304,
            after: offset
        )
        guard case .freshen(_, let new, _, _) = first.outcome(of: notModified) else {
            Issue.record("not freshened")
            return
        }
        #expect(cacheExchange([new]).decision(at: now.addingTimeInterval(10)).word == "serve")
        #expect(cacheExchange([new]).decision(at: now.addingTimeInterval(600)).word == "validate")
    }

    @Test("is served with its age, and without what is not repeated unasked")
    func servedHeaders() throws {
        let answer = try storedAnswer([
            "Age": "30", "Cache-Control": "max-age=60, no-cache=\"X-User\"", "X-User": "1", "X": "2",
        ])
        let kept: HTTPHeaders = ["Cache-Control": "max-age=60, no-cache=\"X-User\"", "X": "2", "Age": "42"]
        #expect(answer.servedHeaders(at: cacheArrival.addingTimeInterval(12.9)) == kept)
        #expect(answer.servedHeaders(at: cacheArrival, isValidated: true) == answer.headers)
        #expect(answer.headers["X-User"] == "1")
        #expect(answer.servedHeaders(at: Date(timeIntervalSince1970: .nan))["Age"] == "2147483648")
        #expect(answer.servedHeaders(at: .distantFuture)["Age"] == "2147483648")
    }
}
