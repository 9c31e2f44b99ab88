import MastheadNetworking
import Testing

@Suite("Content-Range and ETag")
struct RangeFieldTests {
    @Test(
        "reads the ranges of RFC 9110, section 14.4",
        arguments: [
            ("bytes 5-9/10", 5..<10, 10), ("bytes 0-0/1", 0..<1, 1), ("bytes 0-4/*", 0..<5, nil),
            ("bytes */10", nil, 10), ("bytes */0", nil, 0), (" bytes 0-4/10\t", 0..<5, 10), ("BYTES 0-4/10", 0..<5, 10),
            ("bytes 0-9223372036854775805/9223372036854775806", 0..<(.max - 1), .max - 1),
        ] as [(String, Range<Int>?, Int?)]
    )
    func readsRanges(field: String, range: Range<Int>?, size: Int?) throws {
        let value = try #require(ContentRange(field))
        #expect(value.range == range)
        #expect(value.size == size)
    }

    @Test(
        "takes nothing for a range that RFC 9110 calls invalid, or that no file can have",
        arguments: [
            "", "bytes", "bytes ", "bytes */*", "bytes 5-4/10", "bytes 5-10/10", "bytes 0-0/0", "bytes 5-/10",
            "bytes -5/10", "bytes 5/10", "bytes 5-9", "bytes 5-9/", "bytes 5-9/10/11", "bytes 5-9-10/11",
            "bytes  5-9/10", "bytes=5-9/10", "bytes 5 - 9/10", "bytes +5-9/10", "bytes 0x5-9/10",
            "bytes ٥-٩/١٠", "items 5-9/10", "5-9/10", "bytes 5-9/10, bytes 0-4/10", "bytes 0-9223372036854775807/*",
            "bytes */9223372036854775807",
            "bytes 0-4/99999999999999999999", "bytes 99999999999999999999-99999999999999999999/*",
        ]
    )
    func refusesRanges(field: String) {
        #expect(ContentRange(field) == nil)
    }

    @Test(
        "reads strong and weak entity tags",
        arguments: [
            (#""xyzzy""#, "xyzzy", false), (#"W/"xyzzy""#, "xyzzy", true), (#""""#, "", false), (#" "a" "#, "a", false),
            (#""W/""#, "W/", false), (#""a\b!#~é""#, #"a\b!#~é"#, false),
        ]
    )
    func readsTags(field: String, opaque: String, isWeak: Bool) throws {
        let tag = try #require(EntityTag(field))
        #expect(tag.opaque == opaque)
        #expect(tag.isWeak == isWeak)
        #expect(tag.description == field.trimmingPrefix(" ").replacing(#"" "#, with: "\""))
    }

    @Test(
        "takes nothing for a tag that is none",
        arguments: [
            "", "\"", "xyzzy", "\"a", "a\"", #"w/"a""#, #"W/ "a""#, "W/", "W/\"", #""a"b""#, #""a", "b""#, #""a b""#,
            "\"a\u{7F}\"", "\"a\u{0}\"", "\"a\r\nX: y\"",
        ]
    )
    func refusesTags(field: String) {
        #expect(EntityTag(field) == nil)
    }

    @Test(
        "compares tags as RFC 9110, section 8.8.3.2, has it",
        arguments: [
            (#"W/"1""#, #"W/"1""#, false, true), (#"W/"1""#, #"W/"2""#, false, false),
            (#"W/"1""#, #""1""#, false, true), (#""1""#, #""1""#, true, true), (#""1""#, #""2""#, false, false),
            (#""é""#, "\"e\u{301}\"", false, false),
        ]
    )
    func comparesTags(left: String, right: String, strongly: Bool, weakly: Bool) throws {
        let (left, right) = (try #require(EntityTag(left)), try #require(EntityTag(right)))
        #expect(left.matchesStrongly(right) == strongly && right.matchesStrongly(left) == strongly)
        #expect(left.matchesWeakly(right) == weakly && right.matchesWeakly(left) == weakly)
    }
}
