import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("JSONValue")
struct JSONValueTests {
    @Test(
        "decodes by any decoder to what it is when read directly",
        arguments: [
            #"{"a": [1, 2.5, "x", true, false, null, {}], "b": {"c": []}}"#, "9007199254740993", "18446744073709551615",
            "1.0",
            "-0", "1e25", "123456789012345678901234567890", "0.1", "\"\"", "[]", "true", "-9223372036854775808", "1e17",
        ]
    )
    func decodes(json: String) throws {
        let data = Data("[\(json)]".utf8)

        let decoded = try JSONDecoder().decode(JSONValue.self, from: data)

        #expect(try decoded == JSONText(data).value())
        #expect(try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(decoded)) == decoded)
        #expect(try JSONText(decoded.encoded()).value() == decoded)
    }

    @Test(
        "refuses what it could only round, and says where",
        arguments: ["1e400", "1234567890123456789012345678901234567890", #""\ud800""#]
    )
    func refusesRounding(json: String) {
        #expect {
            try JSONDecoder().decode([String: JSONValue].self, from: Data(#"{"meta": \#(json)}"#.utf8))
        } throws: { error in
            guard case DecodingError.dataCorrupted(let context) = error else { return false }
            return context.codingPath.map(\.stringValue) == ["meta"]
        }
    }

    @Test("tells of a value deep within at its own place", arguments: [("[", "]"), (#"{"a":"#, "}")])
    func placesDeepValue(opening: String, closing: String) {
        let depth = 500
        let text = String(repeating: opening, count: depth) + "1e999" + String(repeating: closing, count: depth)
        #expect {
            try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        } throws: { error in
            guard case DecodingError.dataCorrupted(let context) = error else { return false }
            return context.codingPath.count == depth
        }
    }

    @Test("gives its value as the kind that it is, and as no other")
    func hasAccessors() {
        let value: JSONValue = [
            "text": "x", "number": 2, "half": 2.5, "flag": true, "list": [1], "none": nil, "zero": 0,
        ]

        #expect(value["text"]?.stringValue == "x" && value["text"]?.intValue == nil && value["text"]?.boolValue == nil)
        #expect(
            value["number"]?.intValue == 2 && value["number"]?.doubleValue == 2 && value["number"]?.boolValue == nil
        )
        #expect(value["half"]?.intValue == nil && value["half"]?.doubleValue == 2.5)
        #expect(value["flag"]?.boolValue == true && value["flag"]?.intValue == nil && value["zero"]?.boolValue == false)
        #expect(value["list"]?.arrayValue == [1] && value["list"]?[0] == 1 && value["list"]?[1] == nil)
        #expect(value["none"]?.isNull == true && value["missing"] == nil && value.objectValue?.count == 7)
        #expect(JSONValue.number("18446744073709551615").doubleValue == 0x1p64)
        #expect(JSONValue.number("1e400").doubleValue == nil && JSONValue.double(2).intValue == 2)
    }

    @Test("takes the first of two members with the same name, as the decoder does")
    func takesFirstMember() throws {
        let data = Data(#"{"a": 1, "a": 2}"#.utf8)

        #expect(try JSONText(data).value() == ["a": 1])
        #expect(JSONText(data).value(at: "/a") == 1)
        #expect(try JSONDecoder().decode([String: Int].self, from: data) == ["a": 1])
    }

    @Test("reads and writes a pointer's text, and refuses what is none")
    func readsPointers() {
        #expect(JSONPointer(validating: "/a~1b/0/m~0n")?.tokens == ["a/b", "0", "m~n"])
        #expect(JSONPointer(validating: "/a~01")?.tokens == ["a~1"])
        #expect(JSONPointer(validating: "")?.tokens == [] && JSONPointer(validating: "/")?.tokens == [""])
        #expect(JSONPointer(validating: "a") == nil)
        #expect(JSONPointer(validating: "/~") == nil && JSONPointer(validating: "/~2") == nil)
        #expect(("code" as JSONPointer).tokens == ["code"])
        for tokens in [["a/b", "m~n", "", "~1"], [], [""]] {
            #expect(JSONPointer(validating: JSONPointer(tokens: tokens).description)?.tokens == tokens)
        }
    }
}
