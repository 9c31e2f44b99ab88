import FoundationEssentials
import MastheadJSON
import Testing

@Suite("TapeDecoder")
struct TapeDecoderTests {
    private func decode<Value: Decodable>(_ type: Value.Type, _ json: String) throws -> Value {
        try TapeDecoder().decode(type, from: Data(json.utf8))
    }

    private func context(_ type: (some Decodable).Type, _ json: String) -> DecodingError.Context? {
        do {
            _ = try decode(type, json)
            return nil
        } catch {
            return error.context
        }
    }

    @Test("case 14: reads whole numbers exactly, or says where one does not fit")
    func exactNumbers() throws {
        #expect(
            try decode([Int].self, "[9007199254740993, -9223372036854775808, 1.0, 12e1, 100e-2, -0]") == [
                9_007_199_254_740_993, .min, 1, 120, 1, 0,
            ]
        )
        #expect(try decode([UInt64].self, "[18446744073709551615, 0.18446744073709551615e20, -0]") == [.max, .max, 0])
        #expect(try decode([Int128].self, "[-170141183460469231731687303715884105728]") == [.min])
        #expect(try decode([UInt128].self, "[340282366920938463463374607431768211455]") == [.max])
        for number in [
            "9223372036854775808", "1e400", "1.5", "-9223372036854775809", "1e99999999999999999999", "0.1e-5",
            "1.00000000000000000000000001",
        ] {
            let context = context([String: [Int]].self, #"{"a": [1, \#(number)]}"#)
            #expect(context?.codingPath.map(\.stringValue) == ["a", "Index 1"])
            #expect(context?.underlyingError is UnfitNumber)
        }
        #expect(context([Double].self, "[1e400]")?.codingPath.count == 1)
        #expect(context([Double].self, "[1e-400]")?.codingPath.count == 1)
        #expect(context([UInt8].self, "[256]")?.codingPath.count == 1)
    }

    @Test(
        "reads the nearest floating-point number",
        arguments: [
            "0", "-0", "1.91", "0.1", "1e22", "1e23", "9007199254740993", "9007199254740992e22", "5e-324",
            "2.2250738585072014e-308",
            "1.7976931348623157e308", "123456789012345678901234567890", "0.000001", "3.141592653589793238462643383279",
            "7.038531e-26", "16777217", "1e-22", "4503599627370496.5", "0e400", "8.41e21", "1.00000005960464477539062",
            "179769313486231570000",
        ]
    )
    func nearest(number: String) throws {
        #expect(try decode(Double.self, number).bitPattern == Double(number)?.bitPattern)
        if let float = Float(number), float.isFinite, float != 0 {
            #expect(try decode(Float.self, number).bitPattern == float.bitPattern)
        }
    }

    @Test("keeps every digit of a Decimal")
    func decimals() throws {
        for number in [
            "0.1", "12345678901234567890123456789012345678", "-1.5e-20", "1E+30", "123456789012345678",
            "-999999999999999999",
        ] {
            #expect(try decode(Decimal.self, number) == Decimal(string: number))
        }
    }

    @Test("of two members with one name takes the first, however many there are and however they are written")
    func duplicates() throws {
        struct Pair: Decodable { let a: Int, b: Int }
        for json in [
            #"{"a": 1, "b": 2, "a": 3, "b": 4}"#, #"{"b": 2, "a": 1, "a": 3}"#, #"{"\u0061": 1, "a": 3, "b": 2}"#,
            #"{"a": 1, "\u0061": 3, "b": 2}"#,
        ] {
            let pair = try decode(Pair.self, json)
            #expect(pair.a == 1)
            #expect(pair.b == 2)
            #expect(try decode([String: Int].self, json) == ["a": 1, "b": 2])
        }
        let many = (0..<100).map { #""k\#($0)": \#($0)"# } + (0..<100).map { #""k\#($0)": -1"# }
        let table = try decode([String: Int].self, "{\(many.joined(separator: ","))}")
        #expect(table.count == 100 && table.allSatisfy { $0.value >= 0 })
        // Read out of order: the search begins in the middle.
        struct Backwards: Decodable {
            let values: [Int]
            private enum Keys: CodingKey { case a, b, c }
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Keys.self)
                values = try [Keys.c, .b, .a, .b, .c].map { try container.decode(Int.self, forKey: $0) }
            }
        }
        #expect(try decode(Backwards.self, #"{"a": 1, "b": 2, "c": 3, "a": 4, "c": 5}"#).values == [3, 2, 1, 2, 3])
    }

    @Test("names that are equal without having the same bytes are the same name, as strings are")
    func equalNames() throws {
        struct Model: Decodable {
            let name: Int
            enum CodingKeys: String, CodingKey { case name = "\u{E9}" }
        }
        #expect(try decode(Model.self, "{\"e\u{301}\": 1}").name == 1)
        #expect(try decode(Model.self, #"{"\u00e9": 1}"#).name == 1)
        struct Kelvin: Decodable {
            let name: Int
            enum CodingKeys: String, CodingKey { case name = "\u{212A}" }
        }
        #expect(try decode(Kelvin.self, #"{"K": 1}"#).name == 1)
    }

    @Test("keeps decoding after its call, from bytes of its own")
    func outlives() throws {
        struct Late: Decodable {
            let decoder: any Decoder
            init(from decoder: any Decoder) throws { self.decoder = decoder }
        }
        let list: [Late]
        do {
            var bytes = Data(
                (#"[{"a": ["# + String(repeating: #""text that is long enough","#, count: 500) + #""x"]}, 7]"#).utf8
            )
            list = try TapeDecoder().decode([Late].self, from: bytes)
            bytes.resetBytes(in: 0..<bytes.count)
        }
        let table = try [String: [String]](from: list[0].decoder)
        #expect(table["a"]?.count == 501)
        #expect(table["a"]?.last == "x")
        #expect(list[0].decoder.codingPath.map(\.intValue) == [0])
        #expect(try Int(from: list[1].decoder) == 7)
    }

    @Test("tells where a model threw an error of its own, and not where another attempt failed")
    func placesErrors() {
        let failure = TapeDecoder().failure(
            of: [String: [Models.Strict]].self,
            from: Data(#"{"b": [{"a": 1}, {"a": 51}]}"#.utf8)
        )
        #expect(failure?.error is Models.Strict.Broken)
        #expect(failure?.path.map(\.stringValue) == ["b", "Index 1"])
        #expect(TapeDecoder().failure(of: Int.self, from: Data("1".utf8)) == nil)
    }

    @Test(
        "tells where the value of a path starts",
        arguments: [("a", nil, 6), ("b", 0, 16), ("b", 1, 20), ("b", 2, nil), ("c", nil, nil), ("aB", nil, nil)]
            as [(String, Int?, Int?)]
    )
    func offsets(name: String, element: Int?, offset: Int?) {
        let path =
            [Models.AnyKey(stringValue: name)]
            + (element.map { [Models.AnyKey(intValue: $0)].compactMap(\.self) } ?? [])
        #expect(TapeDecoder().offset(of: path, in: Data(#"{"a": "x","b": ["y","z"]}"#.utf8)) == offset)
    }

    @Test("does not decode from no bytes")
    func empty() {
        #expect(context(Int.self, "")?.underlyingError is JSONSyntaxError)
        #expect(TapeDecoder().syntaxError(in: Data())?.offset == 0)
    }
}
