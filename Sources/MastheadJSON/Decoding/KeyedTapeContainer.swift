/// The members of an object, by the keys of a model.
struct KeyedTapeContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: TapeValueDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { decoder.names.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { decoder.member(key, consumes: false) != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        guard let index = decoder.member(key, consumes: false) else { throw missing(key) }
        return decoder.document.word(index).isNull
    }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try decoder.unwrap(value(key), type, .key(key))
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        guard let index = present(key) else { return nil }
        return try decoder.unwrap(index, type, .key(key))
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try nested(value(key), key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try nested(value(key), key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { superDecoder(TapeKey.super) }

    func superDecoder(forKey key: Key) throws -> any Decoder { superDecoder(key) }

    private func superDecoder(_ key: some CodingKey) -> any Decoder {
        nested(decoder.member(key, consumes: false) ?? TapeValueDecoder.missing, key)
    }

    private func nested(_ index: Int, _ key: some CodingKey) -> TapeValueDecoder {
        TapeValueDecoder(decoder.document, at: index, under: decoder, .key(key))
    }

    @inline(__always) private func value(_ key: Key) throws -> Int {
        guard let index = decoder.member(key) else { throw missing(key) }
        return index
    }

    /// The value of a member that is there and not null.
    @inline(__always) private func present(_ key: Key) -> Int? {
        guard let index = decoder.member(key), !decoder.document.word(index).isNull else { return nil }
        return index
    }

    @inline(never) private func missing(_ key: Key) -> DecodingError {
        let text = "No value associated with key \(key) (\"\(key.stringValue)\")."
        return .keyNotFound(key, DecodingError.Context(codingPath: codingPath, debugDescription: text))
    }

    @inline(__always)
    private func integer<T: FixedWidthInteger>(_ type: T.Type, _ index: Int, _ key: Key) throws -> T {
        let document = decoder.document
        do throws(Fault) { return try document.integer(index, type) } catch {
            throw decoder.error(error, at: .key(key), index)
        }
    }

    @inline(__always)
    private func scalar<T>(_ index: Int, _ key: Key, _ read: (Int) throws(Fault) -> T) throws -> T {
        do throws(Fault) { return try read(index) } catch { throw decoder.error(error, at: .key(key), index) }
    }
}

// MARK: - Scalars

extension KeyedTapeContainer {
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try scalar(value(key), key, decoder.document.bool)
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        guard let index = present(key) else { return nil }
        return try scalar(index, key, decoder.document.bool)
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try scalar(value(key), key, decoder.document.string)
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        guard let index = present(key) else { return nil }
        return try scalar(index, key, decoder.document.string)
    }

    func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
        try scalar(value(key), key, decoder.document.double)
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        guard let index = present(key) else { return nil }
        return try scalar(index, key, decoder.document.double)
    }

    func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
        try scalar(value(key), key, decoder.document.float)
    }

    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        guard let index = present(key) else { return nil }
        return try scalar(index, key, decoder.document.float)
    }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try integer(type, value(key), key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        guard let index = present(key) else { return nil }
        return try integer(type, index, key)
    }

    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try integer(type, value(key), key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        guard let index = present(key) else { return nil }
        return try integer(type, index, key)
    }

    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try integer(type, value(key), key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        guard let index = present(key) else { return nil }
        return try integer(type, index, key)
    }

    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try integer(type, value(key), key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        guard let index = present(key) else { return nil }
        return try integer(type, index, key)
    }

    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try integer(type, value(key), key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        guard let index = present(key) else { return nil }
        return try integer(type, index, key)
    }

    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try integer(type, value(key), key) }
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
        guard let index = present(key) else { return nil }
        return try integer(type, index, key)
    }

    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try integer(type, value(key), key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        guard let index = present(key) else { return nil }
        return try integer(type, index, key)
    }

    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(type, value(key), key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        guard let index = present(key) else { return nil }
        return try integer(type, index, key)
    }

    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(type, value(key), key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        guard let index = present(key) else { return nil }
        return try integer(type, index, key)
    }

    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(type, value(key), key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        guard let index = present(key) else { return nil }
        return try integer(type, index, key)
    }

    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(type, value(key), key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        guard let index = present(key) else { return nil }
        return try integer(type, index, key)
    }

    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(type, value(key), key) }
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
        guard let index = present(key) else { return nil }
        return try integer(type, index, key)
    }
}
