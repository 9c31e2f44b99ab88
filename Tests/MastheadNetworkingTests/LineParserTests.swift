import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("LineParser")
struct LineParserTests {
    @Test(
        "ends a line with LF, CR or CRLF, and delivers the last one without an end",
        arguments: [
            ("", []), ("a", ["a"]), ("a\n", ["a"]), ("a\nb", ["a", "b"]), ("a\r\nb\rc\n", ["a", "b", "c"]),
            ("\n", [""]), ("\r\n\r\n", ["", ""]), ("\n\r", ["", ""]), ("\r\r\n\n", ["", "", ""]),
            ("a\n\nb", ["a", "", "b"]), ("\u{FEFF}a\n\u{FEFF}b", ["a", "\u{FEFF}b"]), ("\u{FEFF}", []),
            ("\u{FEFF}\n", [""]),
            ("a\u{2028}b\u{85}c\u{0}\u{B}\n", ["a\u{2028}b\u{85}c\u{0}\u{B}"]),
        ] as [(String, [String])]
    )
    func lines(text: String, expected: [String]) throws {
        let bytes = Data(text.utf8)

        #expect(try Self.lines([bytes]) == expected)
        #expect(try Self.lines(bytes.map { Data([$0]) }) == expected)
    }

    @Test("delivers a line as soon as its end is there, be it a CR that an LF may follow")
    func deliversAtOnce() throws {
        var parser = LineParser()
        parser.append(Data("a\r".utf8))
        #expect(try parser.next() == "a")
        #expect(try parser.next() == nil)
        parser.append(Data("\n".utf8))
        #expect(try parser.next() == nil)
        parser.append(Data("b\r".utf8))
        parser.append(Data("\rc".utf8))
        #expect(try parser.next() == "b")
        #expect(try parser.next() == "")
        #expect(try parser.next() == nil)
        #expect(parser.finish() == "c")
        #expect(parser.finish() == nil)
    }

    @Test(
        "puts U+FFFD where there is no UTF-8, and for a byte order mark that breaks off",
        arguments: [
            ([0x61, 0xFF, 0x0A], ["a\u{FFFD}"]), ([0xC3, 0x0A, 0xA4], ["\u{FFFD}", "\u{FFFD}"]),
            ([0xEF, 0xBB, 0x0A], ["\u{FFFD}"]), ([0xEF, 0xBB], ["\u{FFFD}"]), ([0xEF, 0xBB, 0xBE], ["\u{FEFE}"]),
        ] as [([UInt8], [String])]
    )
    func repairs(bytes: [UInt8], expected: [String]) throws {
        #expect(try Self.lines([Data(bytes)]) == expected)
        #expect(try Self.lines(bytes.map { Data([$0]) }) == expected)
    }

    @Test("takes a line of the limit, and refuses a longer one though its end is not there yet, for good")
    func limits() throws {
        var parser = LineParser(limit: 3)
        parser.append(Data("\u{FEFF}abc\r\nab".utf8))
        #expect(try parser.next() == "abc")
        #expect(try parser.next() == nil)
        parser.append(Data("cd".utf8))
        for _ in 0..<2 {
            #expect { try parser.next() } throws: { error in
                guard case RepositoryError.bodyTooLarge(limit: 3) = error else { return false }
                return true
            }
            parser.append(Data("\nok\n".utf8))
        }
    }

    private static func lines(_ chunks: [Data]) throws -> [String] {
        var parser = LineParser()
        var lines: [String] = []
        for chunk in chunks {
            parser.append(chunk)
            while let line = try parser.next() { lines.append(line) }
        }
        if let line = parser.finish() { lines.append(line) }
        return lines
    }
}
