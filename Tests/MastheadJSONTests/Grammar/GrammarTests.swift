import FoundationEssentials
import MastheadJSON
import Testing

/// What is JSON and what isn't, by RFC 8259, production by production.
@Suite("The grammar")
struct GrammarTests {
    private func error(in bytes: [UInt8]) -> JSONSyntaxError? { TapeDecoder().syntaxError(in: Data(bytes)) }

    @Test(
        "takes what the grammar has",
        arguments: [
            // Section 2: any value, white space around and between.
            "null", "true", "false", "0", "\"\"", "[]", "{}", " \t\n\r[ \t\n\r] \t\n\r",
            "\n{\t\"a\"\r:\n1 \t,\r\"b\" : 2 }",
            // Section 4: objects.
            #"{"":0}"#, #"{"a":1,"a":2}"#, #"{"a":{"b":{"c":[]}}}"#, #"{"\u0000":1}"#, #"{"é":1,"日本":2}"#,
            // Section 5: arrays.
            "[1,null,true,\"x\",{},[]]", "[[[[[]]]]]", "[[],[],[[]]]",
            // Section 6: numbers.
            "-0", "-1", "10", "1234567890", "0.0", "-0.5", "1.50", "1e1", "1E1", "1e+1", "1E-1", "0e0", "0E+00",
            "1.5e10",
            "123456789012345678901234567890", "0.00000000000000000000000000000001", "1e400", "-1e-400",
            "9999999999999999999",
            "1" + String(repeating: "0", count: 1000),
            // Section 7: strings.
            #""\"\\\/\b\f\n\r\t""#, #""\u0041\u00e9\uABCD\uabcd""#, #""\ud83d\ude00""#, #""\uDBFF\uDFFF""#,
            "\"\u{7F}\"",
            "\"\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}\"", "\"/\"", "\"'\"", #""\\u0041""#,
            "\"\u{2028}\u{2029}\"",
            "\"1234567\"", "\"12345678\"", "\"123456789012345é\"", "\"\u{D7FF}\u{E000}\"",
        ]
    )
    func accepts(json: String) {
        #expect(error(in: Array(json.utf8)) == nil)
        #expect(Grammar.accepts(Array(json.utf8)))
    }

    @Test(
        "refuses what it hasn't",
        arguments: [
            "", " ", "\n", "nul", "nulll", "Null", "TRUE", "tru", "fals", "undefined", "NaN", "Infinity", "-Infinity",
            "1 2",
            "[] []", "{}{}", "[]x", "[", "]", "{", "}", "[1", "[1,", "[1,]", "[,1]", "[,]", "[1,,2]", "[1 2]", "[1}",
            "{]",
            "[[]", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,}", "{\"a\"}", "{\"a\",1}",
            "{\"a\" 1}",
            "{a:1}", "{'a':1}", "{1:1}", "{null:1}", "{\"a\":1 \"b\":2}", "{\"a\"::1}", "{:1}", "{\"a\":}", "{[]:1}",
            "{\"a\":1]", "[\"a\":1]", "+1", "-", "--1", "- 1", "01", "-01", "00", "1.", ".1", "-.1", "1.e1", "1e",
            "1e+", "1E-",
            "1e1.5", "0x10", "1_000", "1,000", "1f", "1.2.3", "1ee1", "1e+-1", "0e", "[-]", "[01]", "1a", "\"", "\"a",
            "'a'",
            "\"a\\\"", "\"\\", "\"\\\"", "\"\\x\"", "\"\\a\"", "\"\\v\"", "\"\\0\"", "\"\\'\"", "\"\\u\"", "\"\\u1\"",
            "\"\\u12\"", "\"\\u123\"", "\"\\u123g\"", "\"\\u 123\"", "\"\\U0041\"", "\"\\u+123\"", "\"\t\"", "\"\n\"",
            "\"\u{0}\"", "\"\u{1F}\"", "\"1234567\u{1F}\"", "\"12345678\u{0}\"", "// a\n1", "1 // a", "/* a */ 1",
            "# a", "1;",
            "<a/>", "\u{A0}1", "1\u{A0}", "\u{2028}1", "\u{C}1", "\u{B}1", "\u{0}", "1\u{0}", "[1]\u{0}", "*",
            "\\u0031",
        ]
    )
    func refuses(json: String) {
        let bytes = Array(json.utf8)
        let error = error(in: bytes)
        #expect(error.map { (0...bytes.count).contains($0.offset) } == true)
        #expect(!Grammar.accepts(bytes))
        #expect(throws: DecodingError.self) { try TapeDecoder().decode([String: Int].self, from: Data(bytes)) }
    }

    /// What the RFC leaves to the implementation, and ours does.
    @Test(
        "stands to what it leaves open",
        arguments: [
            // Section 8.1: no byte order mark is taken; whoever reads a body takes it off first.
            ([0xEF, 0xBB, 0xBF, 0x31], 0), ([0xFE, 0xFF, 0x00, 0x31], 0), ([0x31, 0x00], 1),
            // Section 8.1: what is not UTF-8 is refused where it stands.
            ([0x22, 0x80, 0x22], 1), ([0x22, 0xC0, 0xAF, 0x22], 1), ([0x22, 0xC3, 0x22], 1),
            ([0x22, 0xE2, 0x82, 0x22], 1),
            ([0x22, 0xED, 0xA0, 0x80, 0x22], 1), ([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], 1), ([0x22, 0xFF, 0x22], 1),
            ([0x22, 0x61, 0xF0, 0x8F, 0xBF, 0xBF, 0x22], 2), ([0x22, 0xE0, 0x9F, 0xBF, 0x22], 1), ([0x22, 0xC3], 1),
            ([0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], 1), ([0x22, 0xC1, 0xBF, 0x22], 1),
            // Section 8.2: so is half of a pair of surrogates.
            (Array(#""\ud800""#.utf8), 1), (Array(#""\udc00""#.utf8), 1), (Array(#""a\ud800\ud800""#.utf8), 2),
            (Array(#""\udc00\ud800""#.utf8), 1), (Array(#""\ud800\u0041""#.utf8), 1), (Array(#""\ud800a""#.utf8), 1),
            (Array(#""\ud800\n""#.utf8), 1),
            // Section 9: 512 levels.
            (Array(String(repeating: "[", count: 513).utf8), 512),
            (Array(String(repeating: "{\"\":", count: 513).utf8), 2048),
            (Array(String(repeating: "[", count: 100_000).utf8), 512),
        ] as [([UInt8], Int)]
    )
    func implementationDefined(bytes: [UInt8], offset: Int) {
        #expect(error(in: bytes)?.offset == offset)
        #expect(!Grammar.accepts(bytes))
    }

    @Test("takes 512 levels")
    func depth() {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let json = String(repeating: open, count: 511) + "[]" + String(repeating: close, count: 511)
            #expect(error(in: Array(json.utf8)) == nil)
        }
    }

    @Test("is read as by the letter, in any document and any spoilt one")
    func agreesWithTheLetter() {
        var random = SeededGenerator(seed: 8259)
        var accepted = 0
        for round in 0..<(ProcessInfo.processInfo.environment["MASTHEAD_SOAK"] == "1" ? 300_000 : 4000) {
            var bytes = Sample.any(depth: 4, using: &random).written(using: &random)
            let marks =
                Array(#"{}[]",:\/ue0123E+-. tfnl"#.utf8) + [0, 9, 0x1F, 0x7F, 0x80, 0xBF, 0xC3, 0xE2, 0xED, 0xF0, 0xFF]
            for _ in 0..<(round % 3) {
                guard let mark = marks.randomElement(using: &random) else { break }
                let place = Int.random(in: 0...bytes.count, using: &random)
                if Bool.random(using: &random), place < bytes.count {
                    bytes[place] = mark
                } else {
                    bytes.insert(mark, at: place)
                }
            }
            let isJSON = Grammar.accepts(bytes)
            if isJSON { accepted += 1 }
            #expect((error(in: bytes) == nil) == isJSON, "\(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(accepted > 1000)
    }
}
