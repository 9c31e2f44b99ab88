import FoundationEssentials
import MastheadJSON
import MastheadNetworking
import Testing

@Suite("JSONText")
struct JSONTextTests {
    @Test(
        "finds what a pointer leads to",
        arguments: [
            ("", nil), ("/code", 40), ("/list/1/a", "x"), ("/a~1b", 1), ("/m~0n", 2), ("/é", 3), ("/", 4),
            ("/list/2", nil),
            ("/list/01", nil), ("/list/-", nil), ("/code/x", nil), ("/none", nil), ("/esc", "é\n😀/\""),
            ("/list/0", [1, [2]]),
        ] as [(JSONPointer, JSONValue?)]
    )
    func findsPointers(pointer: JSONPointer, expected: JSONValue?) throws {
        let json =
            #" {"code": 40, "list": [[1, [2]], {"a": "x"}], "a/b": 1, "m~n": 2, "\u00e9": 3, "": 4, "#
            + #""esc": "\u00E9\n\ud83d\ude00\/\""} "#
        let text = JSONText(Data(json.utf8))

        let value = text.value(at: pointer)

        #expect(try value == (pointer.tokens.isEmpty ? text.value() : expected))
        #expect(try text.value().value(at: pointer) == value)
    }

    @Test(
        "tells where a coding path leads in the bytes",
        arguments: [
            (["list", 1, "a"], 30), (["list"], 9), ([], 0), (["list", 2], nil), (["none"], nil), (["list", "a"], nil),
            (["publishDate"], 52),
        ] as [([PathKey], Int?)]
    )
    func findsPaths(path: [PathKey], expected: Int?) {
        let text = JSONText(Data(#"{"list": [[{"a": "y"}], {"a": "x"}],"publish_date": 1}"#.utf8))

        #expect(text.offset(of: path, keys: .convertFromSnakeCase) == expected)
    }

    @Test(
        "tells where and why bytes are no JSON",
        arguments: [
            ("", 0), ("<html>", 0), ("{", 1), (#"{"a""#, 4), (#"{"a":1,}"#, 7), ("[1,]", 3), ("[1 2]", 3), ("1 2", 2),
            ("[01]", 2), ("[-]", 2), ("[1.]", 3), ("[1e]", 3), ("tru", 3), ("nul!", 3), (#"["\x"]"#, 2),
            ("[\"a\nb\"]", 3),
            (#"["\ud800"]"#, 2), (#"["\udc00\ud800"]"#, 2), (#"["\ud800\u0041"]"#, 2), (#"["\u12"#, 6), (#"["ab"#, 4),
            ("{1:2}", 1), ("]", 0), ("[}", 1), (#"{"a" 1}"#, 5),
        ]
    )
    func findsSyntaxErrors(json: String, offset: Int) {
        #expect(JSONText(Data(json.utf8)).syntaxError?.offset == offset)
        #expect(throws: JSONSyntaxError.self) { try JSONText(Data(json.utf8)).value() }
    }

    @Test(
        "refuses what is not UTF-8",
        arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80]]
            as [[UInt8]]
    )
    func refusesInvalidUTF8(bytes: [UInt8]) {
        let text = JSONText(Data([UInt8(ascii: "\""), UInt8(ascii: "a")] + bytes + [UInt8(ascii: "\"")]))

        #expect(text.syntaxError?.offset == 2)
    }

    @Test("bounds the depth, and takes what is within")
    func boundsDepth() throws {
        func nested(_ depth: Int) -> JSONText {
            JSONText(Data(String(repeating: "[", count: depth).utf8) + Data(String(repeating: "]", count: depth).utf8))
        }

        #expect(nested(512).syntaxError == nil)
        #expect(nested(513).syntaxError?.offset == 512)
        #expect(nested(1_000_000).syntaxError?.offset == 512)
        #expect(throws: Never.self) { try nested(512).value() }
    }

    @Test(
        "keeps numbers exact, or as their digits",
        arguments: [
            ("9007199254740993", .int(9_007_199_254_740_993)),
            ("9007199254740993.0", .int(9_007_199_254_740_993)), ("9007199254740993e0", .int(9_007_199_254_740_993)),
            ("1e18", .int(1_000_000_000_000_000_000)),
            ("18446744073709551615", .number("18446744073709551615")),
            ("1e400", .number("1e400")), ("1.0", .int(1)), ("-0", .int(0)), ("1e2", .int(100)), ("1e25", .double(1e25)),
            ("0.5", .double(0.5)), ("-0.0", .int(0)),
            ("-9223372036854775808", .int(.min)),
            ("123456789012345678901234567890", .number("123456789012345678901234567890")),
        ] as [(String, JSONValue)]
    )
    func keepsNumbers(json: String, expected: JSONValue) throws {
        let value = try JSONText(Data(json.utf8)).value()

        #expect(value == expected)
        #expect(try JSONText(value.encoded()).value() == value)
    }

    @Test("masks every value of a snippet and keeps names, types and lengths")
    func masksSnippets() {
        let json = #"""
            {"name": "Ada L", "mail": "ada@example.com", "phone": 4917012345, "ada@example.com": {"ok": true, "x": null},
             "list": ["é😀\n", "", -12.5e3], "4917012345": 1}
            """#

        let snippet = JSONText(Data(json.utf8)).snippet()

        #expect(
            snippet == #"{"name":"‹5›","mail":"‹15›","phone":0000000000,"‹15›":{"ok":true,"x":null},"#
                + #""list":["‹3›","‹0›",-00.0e0],"‹10›":0}"#
        )
    }

    @Test("shows what stands around a place, within its limit")
    func bordersSnippets() throws {
        let items = (0..<1000).map { #"{"id": "item-\#($0)", "secret": "hush"}"# }
        let json = Data("[\(items.joined(separator: ",")),{\"wrong\": \"here\"}]".utf8)
        let text = JSONText(json)
        let offset = try #require(text.offset(of: [PathKey(1000), PathKey("wrong")]))

        let snippet = text.snippet(around: offset)

        #expect(snippet.utf8.count <= 400)
        #expect(snippet.hasPrefix("…"))
        #expect(snippet.hasSuffix(#",{"wrong":"‹4›"}]"#))
        #expect(!snippet.contains("hush") && !snippet.contains("item"))
        #expect(text.snippet().hasPrefix(#"[{"id":"‹6›","secret":"‹4›"}"#))
        #expect(text.snippet().hasSuffix("…"))
        #expect(text.snippet().utf8.count <= 400)
    }

    @Test(
        "shows of a broken body what came before the break, and nothing of what is no JSON",
        arguments: [
            (#"{"name": "secr"#, #"{"name"…"#), (#"{"a": [1, "x", tru"#, #"{"a":[0,"‹1›"…"#),
            ("<html>secret</html>", ""),
            ("", ""), ("secret", ""), (#""secret""#, #""‹6›""#), ("12345", "00000"),
            (#"{"a": 1} trailing"#, #"{"a":0}…"#),
        ]
    )
    func shortensBrokenSnippets(json: String, expected: String) {
        #expect(JSONText(Data(json.utf8)).snippet() == expected)
    }
}

/// A coding key of either kind.
struct PathKey: CodingKey, Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) { self.init(stringLiteral: name) }
    init(_ index: Int) { self.init(integerLiteral: index) }

    init(stringLiteral value: String) {
        stringValue = value
        intValue = nil
    }

    init(integerLiteral value: Int) {
        stringValue = "Index \(value)"
        intValue = value
    }

    init?(stringValue: String) { self.init(stringLiteral: stringValue) }
    init?(intValue: Int) { self.init(integerLiteral: intValue) }
}
