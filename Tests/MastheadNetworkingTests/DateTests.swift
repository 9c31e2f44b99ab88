import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("Dates")
struct DateTests {
    @Test(
        "case 13: reads every relative of RFC 3339",
        arguments: [
            ("2026-01-05T09:00:00Z", 0), ("2026-01-05t09:00:00z", 0), ("2026-01-05 09:00:00Z", 0),
            ("2026-01-05T10:00:00+01:00", 0), ("2026-01-05T10:00:00+0100", 0), ("2026-01-05T10:00:00+01", 0),
            ("2026-01-05T05:30:00-03:30", 0), ("2026-01-05 10:00:00 +0100", 0), ("2026-01-05T09:00:00", 0),
            ("2026-01-05T09:00Z", 0), ("2026-01-05T09:00:00.5Z", 0.5), ("2026-01-05T09:00:00,5Z", 0.5),
            ("2026-01-05T09:00:00.123Z", 0.123), ("2026-01-05T09:00:00.123456+00:00", 0.123456),
            ("2026-01-05T09:00:00.123456789Z", 0.123456789), ("2026-01-05T09:00:00.00000000000000000001Z", 0),
            ("2026-01-05", -32400), ("2026-01-06T00:59:59+16:00", -1),
        ] as [(String, Double)]
    )
    func readsDates(text: String, offset: Double) throws {
        let date = try #require(Date(iso8601: text))

        // 1767603600 is what `date -ud 2026-01-05T09:00:00Z +%s` prints.
        #expect(abs(date.timeIntervalSince1970 - 1_767_603_600 - offset) < 1e-6 / 2)
    }

    @Test(
        "knows the calendar",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2000-02-29T00:00:00Z", 951_782_400), ("1969-12-31T23:59:59Z", -1),
            ("0000-01-01T00:00:00Z", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
            ("1900-03-01T00:00:00Z", -2_203_891_200), ("2016-12-31T23:59:60Z", 1_483_228_800),
            ("2017-01-01T00:59:60+01:00", 1_483_228_800),
        ] as [(String, Double)]
    )
    func knowsCalendar(text: String, seconds: Double) {
        #expect(Date(iso8601: text)?.timeIntervalSince1970 == seconds)
    }

    @Test(
        "refuses what is no date",
        arguments: [
            "", "now", "2026", "2026-01", "2026-1-5", "2026-13-01", "2026-00-01", "2026-02-29", "1900-02-29",
            "2026-04-31",
            "2026-01-05T", "2026-01-05T24:00:00Z", "2026-01-05T09:60:00Z", "2026-01-05T09:00:61Z",
            "2026-01-05T09:00:60Z",
            "2026-01-05T09:00:00.Z", "2026-01-05T09:00:00ZZ", "2026-01-05T09:00:00+1", "2026-01-05T09:00:00+24:00",
            "2026-01-05T09:00:00+01:60", "2026-01-05T09:00:00+01:", " 2026-01-05", "2026-01-05 ", "2026-01-05Z",
            "-2026-01-05", "２０２６-01-05", "1767603600", "2026-01-05T09:00:00 ", "2026-01-05T9:00:00Z",
        ]
    )
    func refusesGarbage(text: String) {
        #expect(Date(iso8601: text) == nil)
    }

    @Test(
        "writes what it reads, with the fraction that is there",
        arguments: [
            "2026-01-05T09:00:00Z", "2026-01-05T09:00:00.123Z", "2026-01-06T10:15:30.059998Z",
            "1969-12-31T23:59:59.999999Z",
            "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.5Z", "2000-02-29T23:59:59.000001Z",
        ]
    )
    func writesDates(text: String) throws {
        let date = try #require(Date(iso8601: text))

        #expect(date.iso8601 == text.replacing(".5Z", with: ".500Z"))
    }

    @Test("rounds to the microsecond, and across the second")
    func roundsDates() {
        #expect(Date(timeIntervalSinceReferenceDate: 0.999_999_9).iso8601 == "2001-01-01T00:00:01Z")
        #expect(Date(timeIntervalSinceReferenceDate: .infinity).iso8601 == nil)
        #expect(Date(timeIntervalSinceReferenceDate: .nan).iso8601 == nil)
        #expect(Date(timeIntervalSinceReferenceDate: 1e11 * 9).iso8601 == nil)
    }

    @Test("case 13: round-trips any microsecond of any year")
    func roundTripsDates() {
        var random = SeededGenerator(seed: 13)
        for _ in 0..<20_000 {
            let micros = Int.random(in: -60_000_000_000_000_000...200_000_000_000_000_000, using: &random)
            let date = Date(timeIntervalSinceReferenceDate: Double(micros) / 1e6)
            guard let text = date.iso8601, let read = Date(iso8601: text) else {
                Issue.record("\(micros)")
                return
            }
            // Within a few decades of 2001 `Date` is finer than a microsecond, thousands of years away it is not.
            let tolerance = micros.magnitude > 1_000_000_000_000_000 ? 2e-5 : 0.6e-6
            #expect(abs(read.timeIntervalSince(date)) <= tolerance)
        }
    }

    @Test(
        "decodes and encodes mixed dates in one array, and keeps the fraction",
        arguments: [DecodingOptions.Dates.iso8601]
    )
    func decodesMixedDates(dates: DecodingOptions.Dates) throws {
        var options = DecodingOptions()
        options.dates = dates
        let json = #"["2026-01-05T09:00:00Z", "2026-01-05 10:00:00.059998+0100", "2026-01-05"]"#

        let values = try options.makeDecoder().decode([Date].self, from: Data(json.utf8))
        let encoded = try options.makeEncoder().encode(values)

        #expect(
            String(decoding: encoded, as: UTF8.self)
                == #"["2026-01-05T09:00:00Z","2026-01-05T09:00:00.059998Z","2026-01-05T00:00:00Z"]"#
        )
    }

    @Test("says where a date is none", arguments: [#"[{"on": "soon"}]"#, #"[{"on": 5}]"#, #"[{"on": true}]"#])
    func failsTyped(json: String) {
        #expect {
            try DecodingOptions().makeDecoder().decode([[String: Date]].self, from: Data(json.utf8))
        } throws: { error in
            switch error as? DecodingError {
            case .dataCorrupted(let context), .typeMismatch(_, let context):
                context.codingPath.map(\.stringValue) == ["Index 0", "on"]
            default: false
            }
        }
    }

    @Test(
        "reads the three forms of an HTTP date",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ]
    )
    func readsHTTPDates(text: String) {
        let now = Date(timeIntervalSince1970: 1_767_603_600)

        #expect(Date(httpDate: text, now: now)?.timeIntervalSince1970 == 784_111_777)
    }

    @Test(
        "refuses other spellings",
        arguments: [
            "", "soon", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 +0000",
            "Sun, 06 Nov 94 08:49:37 GMT",
            "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMTx",
            "Sun 06 Nov 1994", "06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
        ]
    )
    func refusesHTTPDates(text: String) {
        #expect(Date(httpDate: text, now: Date(timeIntervalSince1970: 1_767_603_600)) == nil)
    }

    @Test("puts a year of two digits at most 50 years ahead")
    func resolvesShortYears() {
        let now = Date(timeIntervalSince1970: 1_767_603_600)

        #expect(Date(httpDate: "Monday, 06-Nov-76 00:00:00 GMT", now: now)?.iso8601 == "2076-11-06T00:00:00Z")
        #expect(Date(httpDate: "Monday, 06-Nov-77 00:00:00 GMT", now: now)?.iso8601 == "1977-11-06T00:00:00Z")
    }
}

/// A generator that gives the same numbers each time (xorshift).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
