extension TapeValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { isNull }

    func decode<T: Decodable>(_ type: T.Type) throws -> T { try unwrap(index, type, .none) }

    @inline(__always)
    private func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
        try checked(index, .none) { (index) throws(Fault) in try document.integer(index, type) }
    }

    func decode(_ type: Bool.Type) throws -> Bool { try checked(index, .none, document.bool) }
    func decode(_ type: String.Type) throws -> String { try checked(index, .none, document.string) }
    func decode(_ type: Double.Type) throws -> Double { try checked(index, .none, document.double) }
    func decode(_ type: Float.Type) throws -> Float { try checked(index, .none, document.float) }
    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }
}
