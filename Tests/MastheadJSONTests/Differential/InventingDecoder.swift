import FoundationEssentials

/// Makes up what a type asks for, and keeps it as a sample: so every type has documents that fit it.
final class InventingDecoder: Decoder {
    /// What is shared by all decoders of one sample.
    final class Chance {
        var random: SeededGenerator
        init(_ random: SeededGenerator) { self.random = random }
    }

    let sample: Sample
    let chance: Chance
    let depth: Int
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ sample: Sample, _ chance: Chance, depth: Int = 0) {
        self.sample = sample
        self.chance = chance
        self.depth = depth
    }

    /// A sample that mostly fits the type.
    static func sample(of type: any Decodable.Type, using random: inout SeededGenerator) -> Sample {
        let sample = Sample()
        let chance = Chance(random)
        _ = try? InventingDecoder(sample, chance).invent(type)
        random = chance.random
        return sample
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        if case .object = sample.content {} else { sample.content = .object([]) }
        return KeyedDecodingContainer(InventingKeyed<Key>(decoder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        sample.content = .array([])
        let count = depth > 4 ? 0 : Int.random(in: 0...4, using: &chance.random)
        return InventingUnkeyed(decoder: self, count: count)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func child(_ sample: Sample) -> InventingDecoder { InventingDecoder(sample, chance, depth: depth + 1) }

    func invent<T: Decodable>(_ type: T.Type) throws -> T {
        switch type {
        case is Date.Type:
            sample.content =
                Bool.random(using: &chance.random)
                ? .number(number)
                : .string(["2026-01-05T09:00:00Z", "2026-01-05"].randomElement(using: &chance.random) ?? "")
        case is URL.Type: sample.content = .string("https://a.example/b?c=d")
        case is Data.Type: sample.content = .string("AQID")
        case is Decimal.Type: sample.content = .number(number)
        default: return try type.init(from: self)
        }
        let known: [Any] = [Date(timeIntervalSince1970: 0), URL(filePath: "/"), Data(), Decimal(0)]
        guard let value = known.lazy.compactMap({ $0 as? T }).first else { throw CancellationError() }
        return value
    }

    var number: String { Sample.numbers.randomElement(using: &chance.random) ?? "0" }

    func integer<T: FixedWidthInteger>(_ type: T.Type) -> T {
        let value = T(exactly: Int.random(in: 0...100, using: &chance.random)) ?? 0
        sample.content = .number("\(value)")
        return value
    }
}

extension InventingDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool {
        guard depth > 4 || Int.random(in: 0..<4, using: &chance.random) == 0 else { return false }
        sample.content = .null
        return true
    }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try invent(type) }
    func decode(_ type: Bool.Type) -> Bool {
        let value = Bool.random(using: &chance.random)
        sample.content = .bool(value)
        return value
    }
    func decode(_ type: String.Type) -> String {
        let value = Sample.words.randomElement(using: &chance.random) ?? ""
        sample.content = .string(value)
        return value
    }
    func decode(_ type: Double.Type) -> Double {
        sample.content = .number(number)
        return 1
    }
    func decode(_ type: Float.Type) -> Float { Float(decode(Double.self)) }
    func decode(_ type: Int.Type) -> Int { integer(type) }
    func decode(_ type: Int8.Type) -> Int8 { integer(type) }
    func decode(_ type: Int16.Type) -> Int16 { integer(type) }
    func decode(_ type: Int32.Type) -> Int32 { integer(type) }
    func decode(_ type: Int64.Type) -> Int64 { integer(type) }
    func decode(_ type: UInt.Type) -> UInt { integer(type) }
    func decode(_ type: UInt8.Type) -> UInt8 { integer(type) }
    func decode(_ type: UInt16.Type) -> UInt16 { integer(type) }
    func decode(_ type: UInt32.Type) -> UInt32 { integer(type) }
    func decode(_ type: UInt64.Type) -> UInt64 { integer(type) }
    func decode(_ type: Int128.Type) -> Int128 { integer(type) }
    func decode(_ type: UInt128.Type) -> UInt128 { integer(type) }
}

private struct InventingKeyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: InventingDecoder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] {
        let keys = Sample.words.compactMap { Key(stringValue: $0) }
        let count = keys.count > 10 ? Int.random(in: 0...3, using: &decoder.chance.random) : 1
        return (0..<count).compactMap { _ in keys.randomElement(using: &decoder.chance.random) }
    }

    /// The value of a member, new or as it was asked for before.
    private func member(_ name: String) -> InventingDecoder {
        guard case .object(var members) = decoder.sample.content else { return decoder }
        if let known = members.first(where: { $0.name == name }) { return decoder.child(known.value) }
        let sample = Sample()
        members.append((name, sample))
        decoder.sample.content = .object(members)
        return decoder.child(sample)
    }

    func contains(_ key: Key) -> Bool { decoder.depth < 5 && Bool.random(using: &decoder.chance.random) }
    func decodeNil(forKey key: Key) -> Bool { member(key.stringValue).decodeNil() }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try member(key.stringValue).invent(type) }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard contains(key) else { return nil }
        return try member(key.stringValue).invent(type)
    }
    func nestedContainer<Nested: CodingKey>(keyedBy: Nested.Type, forKey key: Key) -> KeyedDecodingContainer<Nested> {
        member(key.stringValue).container(keyedBy: keyedBy)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
        member(key.stringValue).unkeyedContainer()
    }
    func superDecoder() -> any Decoder { member("super") }
    func superDecoder(forKey key: Key) -> any Decoder { member(key.stringValue) }
}

private struct InventingUnkeyed: UnkeyedDecodingContainer {
    let decoder: InventingDecoder
    let count: Int?
    var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var isAtEnd: Bool { currentIndex >= count ?? 0 }

    init(decoder: InventingDecoder, count: Int) {
        self.decoder = decoder
        self.count = count
    }

    private mutating func element() throws -> InventingDecoder {
        guard !isAtEnd else { throw CancellationError() }
        currentIndex += 1
        guard case .array(let elements) = decoder.sample.content else { return decoder }
        let sample = Sample()
        decoder.sample.content = .array(elements + [sample])
        return decoder.child(sample)
    }

    mutating func decodeNil() throws -> Bool { false }
    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try element().invent(type) }
    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try element().container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try element().unkeyedContainer() }
    mutating func superDecoder() throws -> any Decoder { try element() }
}
