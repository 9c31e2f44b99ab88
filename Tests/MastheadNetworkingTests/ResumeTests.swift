import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("Resuming downloads")
struct ResumeTests {
    private static let now = Date(timeIntervalSince1970: 784_111_777)
    private static let first: HTTPHeaders = ["ETag": #""v1""#, "Content-Length": "10"]
    private static let dated: HTTPHeaders = [
        "Last-Modified": "Sun, 06 Nov 1994 08:48:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT",
    ]

    @Test("asks with the range that is missing and the first answer's strong validator, for the bytes as they are")
    func asks() throws {
        let plan = try Self.plan(after: Self.first, partLength: 4)
        #expect(plan.offset == 4)
        #expect(plan.headers == ["Accept-Encoding": "identity", "Range": "bytes=4-", "If-Range": #""v1""#])

        let dated = try Self.plan(after: Self.dated, partLength: 4)
        #expect(dated.headers["If-Range"] == "Sun, 06 Nov 1994 08:48:37 GMT")
    }

    @Test("asks for all of it when there is nothing to go on with")
    func asksForAll() throws {
        let state = try #require(ResumeState(url: "u", status: 200, headers: Self.first, now: Self.now))
        for plan in [
            ResumePlan(url: "u", state: nil, partLength: 4), ResumePlan(url: "u", state: state, partLength: 0),
            ResumePlan(url: "u", state: state, partLength: 11), ResumePlan(url: "other", state: state, partLength: 4),
        ] {
            #expect(plan.offset == 0)
            #expect(plan.headers == ["Accept-Encoding": "identity"])
        }
    }

    @Test(
        "case 20: a weak or missing validator is no ground to resume",
        arguments: [
            ["ETag": #"W/"v1""#], ["ETag": "v1"], ["ETag": ""], [:], ["ETag": #""v1""#, "etag": #""v2""#],
            ["ETag": "\"\(String(repeating: "v", count: 1024))\""],
            // Beside a tag of any kind a date must not be used (RFC 9110, section 13.1.5).
            [
                "ETag": #"W/"v1""#, "Last-Modified": "Sun, 06 Nov 1994 08:00:00 GMT",
                "Date": "Sun, 06 Nov 1994 08:49:37 GMT",
            ],
            [
                "ETag": "v1", "Last-Modified": "Sun, 06 Nov 1994 08:00:00 GMT",
                "Date": "Sun, 06 Nov 1994 08:49:37 GMT",
            ],
            ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"],
            ["Last-Modified": "Sun, 06 Nov 1994 08:48:38 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"],
            ["Last-Modified": "Sun, 06 Nov 1994 09:48:38 GMT", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"],
            ["Last-Modified": "Sun, 06 Nov 1994 08:00:00 GMT"],
            ["Last-Modified": "yesterday", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"],
            ["ETag": #""v1""#, "Content-Encoding": "gzip"], ["ETag": #""v1""#, "Content-Encoding": "identity, br"],
            ["ETag": #""v1""#, "Accept-Ranges": "None"],
        ] as [HTTPHeaders]
    )
    func keepsNothing(headers: HTTPHeaders) {
        #expect(ResumeState(url: "u", status: 200, headers: headers, now: Self.now) == nil)
    }

    @Test("keeps nothing of an answer that is not the whole", arguments: [201, 203, 204, 206, 304, 404])
    func keepsWholes(status: Int) {
        #expect(ResumeState(url: "u", status: status, headers: Self.first, now: Self.now) == nil)
    }

    @Test(
        "keeps the size that an answer says in one way",
        arguments: [
            (["Content-Length": "10", "content-length": "10"], 10),
            (["Content-Length": "10", "content-length": "11"], nil),
            (["Content-Length": "10", "Transfer-Encoding": "chunked"], nil), (["Content-Length": "-1"], nil),
            (["Content-Length": "99999999999999999999"], nil), (["Content-Encoding": "Identity"], nil), ([:], nil),
        ] as [(HTTPHeaders, Int?)]
    )
    func keepsSize(headers: HTTPHeaders, size: Int?) throws {
        var headers = headers
        headers["ETag"] = #""v1""#
        let state = try #require(ResumeState(url: "u", status: 200, headers: headers, now: Self.now))
        #expect(state.size == size)
    }

    @Test("comes out of its file as it went in; what cannot have been in one is refused")
    func roundTrips() throws {
        for headers in [Self.first, Self.dated] {
            let state = try #require(ResumeState(url: "https://h/ü", status: 200, headers: headers, now: Self.now))
            #expect(try JSONDecoder().decode(ResumeState.self, from: JSONEncoder().encode(state)) == state)
        }
        for text in [
            "", "{}", "[]", #"{"url": "u"}"#, #"{"url": "u", "validator": "v1"}"#,
            #"{"url": "u", "validator": "W/\"v1\""}"#, #"{"url": "u", "validator": "\"v1\"", "size": -1}"#,
            #"{"url": "u", "validator": "\"v1\r\nX: y\"", "size": 1}"#,
            #"{"url": "u", "validator": "\"v1\"", "size": 1e30}"#, #"{"url": 7, "validator": "\"v1\""}"#,
        ] {
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(ResumeState.self, from: Data(text.utf8)) }
        }
    }

    @Test(
        "case 20: writes a part where the server says that it starts, if that leaves no hole",
        arguments: [
            (["Content-Range": "bytes 4-9/10"], 4..<10), (["Content-Range": "bytes 2-9/10"], 2..<10),
            (["Content-Range": "bytes 0-9/10"], 0..<10), (["Content-Range": "bytes 4-6/10"], 4..<7),
            (["Content-Range": "bytes 4-9/*"], 4..<10),
            (["Content-Range": "bytes 4-9/10", "Content-Length": "6", "Content-Encoding": "identity"], 4..<10),
        ] as [(HTTPHeaders, Range<Int>)]
    )
    func writesParts(headers: HTTPHeaders, range: Range<Int>) throws {
        var headers = headers
        headers["ETag"] = #""v1""#
        let plan = try Self.plan(after: Self.first, partLength: 4)
        #expect(try plan.decision(status: 206, headers: headers, now: Self.now) == .write(range, size: 10))
    }

    @Test(
        "case 20: begins anew when a part starts later, brings nothing new, or is of something else",
        arguments: [
            ["ETag": #""v1""#, "Content-Range": "bytes 5-9/10"], ["ETag": #""v1""#, "Content-Range": "bytes 0-3/10"],
            ["ETag": #""v1""#, "Content-Range": "bytes 4-9/11"], ["ETag": #""v1""#, "Content-Range": "bytes 4-10/*"],
            ["ETag": #""v1""#, "Content-Range": "bytes */10"], ["ETag": #""v1""#, "Content-Range": "bytes 4-9"],
            ["ETag": #""v1""#, "Content-Range": "bytes 4-9/10", "content-range": "bytes 3-9/10"], ["ETag": #""v1""#],
            ["ETag": #""v1""#, "Content-Range": "bytes 4-9/10", "Content-Length": "7"],
            ["ETag": #""v2""#, "Content-Range": "bytes 4-9/10"], ["ETag": #"W/"v1""#, "Content-Range": "bytes 4-9/10"],
            ["ETag": "v1", "Content-Range": "bytes 4-9/10"], ["Content-Range": "bytes 4-9/10"],
            ["ETag": #""v1""#, "etag": #""v2""#, "Content-Range": "bytes 4-9/10"],
            ["ETag": #""v1""#, "Content-Range": "bytes 4-9/10", "Content-Encoding": "gzip"],
            ["ETag": #""v1""#, "Content-Type": "Multipart/Byteranges; boundary=x", "Content-Range": "bytes 4-9/10"],
        ] as [HTTPHeaders]
    )
    func restarts(headers: HTTPHeaders) throws {
        let plan = try Self.plan(after: Self.first, partLength: 4)
        #expect(try plan.decision(status: 206, headers: headers, now: Self.now) == .restart)
    }

    @Test(
        "goes on by date with a part of that date alone",
        arguments: [
            ([:], false), (["ETag": #""v1""#], false), (["Last-Modified": "Sun, 06 Nov 1994 08:48:37 GMT"], true),
            (["Last-Modified": "Sun, 06 Nov 1994 08:48:38 GMT"], false),
        ] as [(HTTPHeaders, Bool)]
    )
    func resumesByDate(headers: HTTPHeaders, isSame: Bool) throws {
        var headers = headers
        headers["Content-Range"] = "bytes 4-9/10"
        let plan = try Self.plan(after: Self.dated, partLength: 4)
        let decision = try plan.decision(status: 206, headers: headers, now: Self.now)
        #expect(decision == (isSame ? .write(4..<10, size: 10) : .restart))
    }

    @Test("case 20: a whole body instead of a part begins anew, with its own validator")
    func beginsAnew() throws {
        let plan = try Self.plan(after: Self.first, partLength: 4)
        for (status, headers) in [
            (200, ["ETag": #""v2""#, "Content-Length": "12"] as HTTPHeaders), (200, ["ETag": #"W/"v2""#]),
            (200, ["ETag": #""v2""#, "Content-Encoding": "gzip"]), (203, ["ETag": #""v2""#]),
        ] {
            let state = ResumeState(url: "u", status: status, headers: headers, now: Self.now)
            #expect(try plan.decision(status: status, headers: headers, now: Self.now) == .begin(state))
            #expect((state != nil) == (headers["Content-Length"] == "12"))
        }
    }

    @Test(
        "case 20: a range that cannot be had is the end, if the whole is there; else it begins anew",
        arguments: [
            (10, ["Content-Range": "bytes */10"], .whole),
            (10, ["Content-Range": "bytes */10", "ETag": #""v1""#], .whole),
            (10, ["Content-Range": "bytes */10", "ETag": #""v2""#], .restart),
            (10, ["Content-Range": "bytes */11"], .restart), (9, ["Content-Range": "bytes */9"], .restart),
            (9, ["Content-Range": "bytes */10"], .restart), (10, [:], .restart),
            (10, ["Content-Range": "bytes */*"], .restart),
        ] as [(Int, HTTPHeaders, ResumeDecision)]
    )
    func ends(partLength: Int, headers: HTTPHeaders, expected: ResumeDecision) throws {
        let plan = try Self.plan(after: Self.first, partLength: partLength)
        #expect(try plan.decision(status: 416, headers: headers, now: Self.now) == expected)
    }

    @Test(
        "case 20: of a size that the first answer did not say, only the validator shows that all of it is there",
        arguments: [
            (["ETag": #""v1""#], [:], .restart), (["ETag": #""v1""#], ["ETag": #""v2""#], .restart),
            (["ETag": #""v1""#], ["ETag": #""v1""#], .whole), (dated, [:], .restart), (dated, dated, .whole),
        ] as [(HTTPHeaders, HTTPHeaders, ResumeDecision)]
    )
    func endsWithoutSize(first: HTTPHeaders, headers: HTTPHeaders, expected: ResumeDecision) throws {
        var headers = headers
        headers["Content-Range"] = "bytes */10"
        let plan = try Self.plan(after: first, partLength: 10)
        #expect(try plan.decision(status: 416, headers: headers, now: Self.now) == expected)
    }

    @Test("leaves what is there when the answer is not about it", arguments: [202, 304, 401, 404, 412, 429, 500, 503])
    func keeps(status: Int) throws {
        let plan = try Self.plan(after: Self.first, partLength: 4)
        #expect(try plan.decision(status: status, headers: Self.first, now: Self.now) == .keep)
    }

    @Test("a request for all of it never begins anew, and takes no part")
    func wantsAll() throws {
        let plan = ResumePlan(url: "u", state: nil, partLength: 4)
        #expect(try plan.decision(status: 416, headers: ["Content-Range": "bytes */0"], now: Self.now) == .keep)
        #expect(throws: RepositoryError.self) {
            try plan.decision(status: 206, headers: ["Content-Range": "bytes 0-9/10"], now: Self.now)
        }
    }

    private static func plan(after headers: HTTPHeaders, partLength: Int) throws -> ResumePlan {
        let state = try #require(ResumeState(url: "u", status: 200, headers: headers, now: now))
        return ResumePlan(url: "u", state: state, partLength: partLength)
    }
}
