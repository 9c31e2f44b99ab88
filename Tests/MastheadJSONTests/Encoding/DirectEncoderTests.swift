import FoundationEssentials
import MastheadJSON
import Testing

/// What it writes, beside what Foundation's encoder writes of the same.
@Suite("DirectEncoder")
struct DirectEncoderTests {
    private static let direct = DirectEncoder(
        oddNumbers: .init(positiveInfinity: "+inf", negativeInfinity: "-inf", nan: "nan")
    )

    private static func foundations(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "+inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        return Array(try encoder.encode(value))
    }

    private static func expectSame(_ value: some Encodable, _ comment: Comment) throws {
        var bytes: [UInt8] = Array("before".utf8)
        try direct.encode(value, to: &bytes)
        #expect(bytes.starts(with: "before".utf8))
        let (ours, theirs) = (SortedText.of(Array(bytes.dropFirst(6))), SortedText.of(try foundations(value)))
        #expect(ours == theirs, comment)
    }

    /// A type of which values are made up.
    struct Candidate: Sendable {
        let name: String
        /// Compares one; says whether it was a value.
        let check: @Sendable (inout SeededGenerator) throws -> Bool

        init<Value: Codable & SendableMetatype>(_ type: Value.Type) {
            name = "\(type)"
            check = { [name] random in
                let document = InventingDecoder.sample(of: Value.self, using: &random).written(using: &random)
                let decoder = Strategies.all[1].ours
                guard let value = try? decoder.decode(Value.self, from: Data(document)) else { return false }
                try DirectEncoderTests.expectSame(value, "\(name) of \(String(decoding: document, as: UTF8.self))")
                return true
            }
        }
    }

    static let candidates: [Candidate] = [
        Candidate(String.self), Candidate(Int.self), Candidate(Double.self), Candidate(Bool.self),
        Candidate(Float.self), Candidate(UInt64.self), Candidate([String].self), Candidate([Int8].self),
        Candidate([Double?].self), Candidate([String: Int].self), Candidate([Int: String].self),
        Candidate([String: [String: Bool]].self), Candidate([Models.Color: Int].self), Candidate(Date.self),
        Candidate([Date].self), Candidate(Data.self), Candidate([String: Data].self), Candidate(URL.self),
        Candidate([URL?].self), Candidate(Decimal.self), Candidate([Decimal].self), Candidate(Int??.self),
        Candidate([[Int]].self), Candidate(Set<Int>.self), Candidate(UUID.self), Candidate(Range<Int>.self),
        Candidate([Models.Level].self), Candidate(Models.Flat.self), Candidate(Models.Floats.self),
        Candidate(Models.Optionals.self), Candidate(Models.Nested.self),
        Candidate(Models.Tree.self), Candidate(Models.Expression.self), Candidate([Models.Shape].self),
        Candidate(Models.Wrapper.self), Candidate(Models.SnakeCase.self), Candidate(Models.OddNames.self),
        Candidate(Models.Many.self),
    ]

    @Test("writes the same of any value", arguments: candidates.indices)
    func agrees(index: Int) throws {
        var random = SeededGenerator(seed: UInt64(index) + 1)
        var count = 0
        for _ in 0..<400 where try Self.candidates[index].check(&random) { count += 1 }
        #expect(count > 3, "\(Self.candidates[index].name)")
    }

    @Test("writes the same of what encodes itself by hand", arguments: EncodingModels.inOrder.keys.sorted())
    func byHand(name: String) throws {
        let model = try #require(EncodingModels.inOrder[name])
        try Self.expectSame(model, "\(name)")
        try Self.expectSame(["a": [model, model]], "\(name), twice")
    }

    @Test("writes the ends of each kind of number, alone, in arrays and in objects")
    func numbers() throws {
        func check<Number: FixedWidthInteger & Codable>(_ type: Number.Type) throws {
            try Self.expectSame(Number.max, "\(type)")
            try Self.expectSame([Number.min, 0, 1, .max], "\(type)")
            try Self.expectSame(["a": Number.min, "b": .max], "\(type)")
            let range = EncodingModels.Limits(least: Number.min, most: .max)
            try Self.expectSame(range, "\(type)")
        }
        try check(Int.self)
        try check(Int8.self)
        try check(Int16.self)
        try check(Int32.self)
        try check(Int64.self)
        try check(Int128.self)
        try check(UInt.self)
        try check(UInt8.self)
        try check(UInt16.self)
        try check(UInt32.self)
        try check(UInt64.self)
        try check(UInt128.self)
    }

    @Test("has nothing of what it cannot write in one go", arguments: EncodingModels.outOfOrder.keys.sorted())
    func leavesAlone(name: String) throws {
        let model = try #require(EncodingModels.outOfOrder[name])
        _ = try Self.foundations(model)
        var bytes: [UInt8] = [1, 2, 3]
        #expect(throws: (any Error).self) { try Self.direct.encode(model, to: &bytes) }
        #expect(bytes == [1, 2, 3])
        #expect(throws: (any Error).self) { try Self.direct.encode([[model]], to: &bytes) }
        #expect(bytes == [1, 2, 3])
    }

    @Test("has nothing of what is no value, nor of what throws")
    func refuses() {
        struct Refusal: Error {}
        var bytes: [UInt8] = [1]
        #expect(throws: (any Error).self) { try Self.direct.encode(EncodingModels.nothing, to: &bytes) }
        #expect(throws: (any Error).self) { try Self.direct.encode(Decimal.nan, to: &bytes) }
        #expect(throws: (any Error).self) { try Self.direct.encode([1: [Decimal.nan]], to: &bytes) }
        let twice = EncodingModels.ByHand { encoder in
            var container = encoder.singleValueContainer()
            try container.encode(1)
            try container.encode(2)
        }
        #expect(throws: (any Error).self) { try Self.direct.encode([twice], to: &bytes) }
        let both = EncodingModels.ByHand { encoder in
            _ = encoder.container(keyedBy: Models.AnyKey.self)
            _ = encoder.unkeyedContainer()
        }
        #expect(throws: (any Error).self) { try Self.direct.encode([both], to: &bytes) }
        let refusal = EncodingModels.ByHand { _ in throw Refusal() }
        #expect(throws: Refusal.self) { try Self.direct.encode(["a": refusal], to: &bytes) }
        #expect(bytes == [1])
    }

    @Test("has nothing of what lies deeper than a decoder goes, and all of what lies above")
    func depth() throws {
        @Sendable func nested(_ depth: Int) -> EncodingModels.ByHand {
            EncodingModels.ByHand { encoder in
                var container = encoder.unkeyedContainer()
                if depth > 1 { try container.encode(nested(depth - 1)) }
            }
        }
        try Self.expectSame(nested(400), "400 arrays")
        var bytes: [UInt8] = []
        #expect(throws: (any Error).self) { try Self.direct.encode(nested(600), to: &bytes) }
        #expect(bytes.isEmpty)
    }

    @Test("lets nobody write with a container of a text that failed")
    func keptContainer() throws {
        struct Refusal: Error {}
        final class Keeper: @unchecked Sendable {
            var container: KeyedEncodingContainer<Models.AnyKey>?
        }
        let keeper = Keeper()
        let model = EncodingModels.ByHand { encoder in
            var container = encoder.container(keyedBy: Models.AnyKey.self)
            try container.encode(String(repeating: "x", count: 500), forKey: Models.AnyKey(stringValue: "a"))
            try container.encode(1, forKey: Models.AnyKey(stringValue: "abc"))
            keeper.container = container
            throw Refusal()
        }
        var bytes: [UInt8] = []
        #expect(throws: Refusal.self) { try Self.direct.encode(model, to: &bytes) }
        #expect(throws: (any Error).self) {
            try keeper.container?.encode(1, forKey: Models.AnyKey(stringValue: "abc"))
        }
        #expect(bytes.isEmpty)
    }

    @Test("escapes what must be, wherever it stands, and nothing else")
    func strings() throws {
        for scalar in (0..<0x180).compactMap(Unicode.Scalar.init) + ["\u{2028}", "\u{FEFF}", "\u{1F4D6}"] {
            for length in 0...17 {
                let text = String(repeating: "x", count: length) + String(scalar)
                try Self.expectSame([text, text + "y\(text)/"], "U+\(String(scalar.value, radix: 16)) after \(length)")
            }
        }
    }

    @Test("tells a model where it stands")
    func paths() throws {
        try Self.expectSame(
            ["a": [EncodingModels.path, EncodingModels.path], "b": [], "c": [EncodingModels.path]],
            "in lists of a dictionary"
        )
        try Self.expectSame([[EncodingModels.path]], "in a list of a list")
        // Foundation's leaves out what lies between the nested array and the value around it.
        let nested = EncodingModels.ByHand { encoder in
            var container = encoder.container(keyedBy: Models.AnyKey.self)
            var list = container.nestedUnkeyedContainer(forKey: Models.AnyKey(stringValue: "list"))
            try list.encode(true)
            try list.encode(EncodingModels.path)
        }
        var bytes: [UInt8] = []
        try Self.direct.encode(["a": nested], to: &bytes)
        let path = "a/-1.list/-1.Index 1/1.a.list.Index 1"
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"a":{"list":[true,"\#(path)"]}}"#)
    }
}
