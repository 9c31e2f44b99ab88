/// The elements of an array, one after the other.
struct UnkeyedTapeContainer: UnkeyedDecodingContainer {
    let decoder: TapeValueDecoder

    /// The next element on the tape.
    ///
    /// Three words make a container small enough to be handed about without an allocation.
    private var next: Int
    private(set) var currentIndex = 0

    init(decoder: TapeValueDecoder) {
        self.decoder = decoder
        next = decoder.index + 2
    }

    var codingPath: [any CodingKey] { decoder.codingPath }
    var count: Int? { elementCount }
    var isAtEnd: Bool { currentIndex >= elementCount }

    private var elementCount: Int { decoder.document.elementCount(decoder.index) }

    mutating func decodeNil() throws -> Bool {
        guard decoder.document.word(try element(Never.self)).isNull else { return false }
        advance()
        return true
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        let value = try decoder.unwrap(element(type), type, .index(currentIndex))
        advance()
        return value
    }

    mutating func decodeIfPresent<T: Decodable>(_ type: T.Type) throws -> T? {
        guard let index = try present() else { return nil }
        let value = try decoder.unwrap(index, type, .index(currentIndex))
        advance()
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let container = try nested(KeyedDecodingContainer<Nested>.self).container(keyedBy: type)
        advance()
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try nested((any UnkeyedDecodingContainer).self).unkeyedContainer()
        advance()
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try nested((any Decoder).self)
        advance()
        return decoder
    }

    private func nested(_ type: Any.Type) throws -> TapeValueDecoder {
        TapeValueDecoder(decoder.document, at: try element(type), under: decoder, .index(currentIndex))
    }

    @inline(__always) private func element(_ type: Any.Type) throws -> Int {
        if isAtEnd { throw ended(type) }
        return next
    }

    @inline(__always) private mutating func advance() {
        if !isAtEnd { next = decoder.document.tape.index(after: next) }
        currentIndex &+= 1
    }

    /// The next element, unless it is null, which is taken, or there is none.
    @inline(__always) private mutating func present() throws -> Int? {
        if !isAtEnd, !decoder.document.word(next).isNull { return next }
        advance()
        return nil
    }

    @inline(never) private func ended(_ type: Any.Type) -> DecodingError {
        let path = codingPath + [TapeKey(index: currentIndex)]
        return .valueNotFound(
            type,
            DecodingError.Context(codingPath: path, debugDescription: "Unkeyed container is at end.")
        )
    }

    @inline(__always)
    private mutating func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
        let document = decoder.document
        return try scalar { (index) throws(Fault) in try document.integer(index, type) }
    }

    @inline(__always)
    private mutating func integerIfPresent<T: FixedWidthInteger>(_ type: T.Type) throws -> T? {
        guard try present() != nil else { return nil }
        return try integer(type)
    }

    @inline(__always)
    private mutating func scalar<T>(_ read: (Int) throws(Fault) -> T) throws -> T {
        let index = try element(T.self)
        let value: T
        do throws(Fault) { value = try read(index) } catch {
            throw decoder.error(error, at: .index(currentIndex), index)
        }
        advance()
        return value
    }
}

// MARK: - Scalars

extension UnkeyedTapeContainer {
    mutating func decode(_ type: Bool.Type) throws -> Bool { try scalar(decoder.document.bool) }
    mutating func decodeIfPresent(_ type: Bool.Type) throws -> Bool? {
        guard try present() != nil else { return nil }
        return try scalar(decoder.document.bool)
    }

    mutating func decode(_ type: String.Type) throws -> String { try scalar(decoder.document.string) }
    mutating func decodeIfPresent(_ type: String.Type) throws -> String? {
        guard try present() != nil else { return nil }
        return try scalar(decoder.document.string)
    }

    mutating func decode(_ type: Double.Type) throws -> Double { try scalar(decoder.document.double) }
    mutating func decodeIfPresent(_ type: Double.Type) throws -> Double? {
        guard try present() != nil else { return nil }
        return try scalar(decoder.document.double)
    }

    mutating func decode(_ type: Float.Type) throws -> Float { try scalar(decoder.document.float) }
    mutating func decodeIfPresent(_ type: Float.Type) throws -> Float? {
        guard try present() != nil else { return nil }
        return try scalar(decoder.document.float)
    }

    mutating func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    mutating func decodeIfPresent(_ type: Int.Type) throws -> Int? { try integerIfPresent(type) }

    mutating func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    mutating func decodeIfPresent(_ type: Int8.Type) throws -> Int8? { try integerIfPresent(type) }

    mutating func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    mutating func decodeIfPresent(_ type: Int16.Type) throws -> Int16? { try integerIfPresent(type) }

    mutating func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    mutating func decodeIfPresent(_ type: Int32.Type) throws -> Int32? { try integerIfPresent(type) }

    mutating func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    mutating func decodeIfPresent(_ type: Int64.Type) throws -> Int64? { try integerIfPresent(type) }

    mutating func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
    mutating func decodeIfPresent(_ type: Int128.Type) throws -> Int128? { try integerIfPresent(type) }

    mutating func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    mutating func decodeIfPresent(_ type: UInt.Type) throws -> UInt? { try integerIfPresent(type) }

    mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    mutating func decodeIfPresent(_ type: UInt8.Type) throws -> UInt8? { try integerIfPresent(type) }

    mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    mutating func decodeIfPresent(_ type: UInt16.Type) throws -> UInt16? { try integerIfPresent(type) }

    mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    mutating func decodeIfPresent(_ type: UInt32.Type) throws -> UInt32? { try integerIfPresent(type) }

    mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
    mutating func decodeIfPresent(_ type: UInt64.Type) throws -> UInt64? { try integerIfPresent(type) }

    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }
    mutating func decodeIfPresent(_ type: UInt128.Type) throws -> UInt128? { try integerIfPresent(type) }
}
