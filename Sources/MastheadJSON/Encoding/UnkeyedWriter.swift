/// Writes the elements of an array.
struct UnkeyedWriter: UnkeyedEncodingContainer {
    let writer: JSONWriter
    let place: OpenText.Place

    var codingPath: [any CodingKey] { writer.text.path(to: place) }
    var count: Int { writer.text.count(of: place) }

    func encodeNil() throws {
        try writer.text.beginElement(of: place)
        writer.writeNull()
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        let index = count
        try writer.text.beginElement(of: place)
        try writer.write(value, .index(index), in: place)
    }

    func encode(_ value: Bool) throws {
        try writer.text.beginElement(of: place)
        writer.write(value)
    }

    func encode(_ value: String) throws {
        try writer.text.beginElement(of: place)
        writer.write(value)
    }

    func encode(_ value: Double) throws { try number(value) }
    func encode(_ value: Float) throws { try number(value) }
    func encode(_ value: Int) throws { try integer(value) }
    func encode(_ value: Int8) throws { try integer(value) }
    func encode(_ value: Int16) throws { try integer(value) }
    func encode(_ value: Int32) throws { try integer(value) }
    func encode(_ value: Int64) throws { try integer(value) }
    func encode(_ value: Int128) throws { try integer(value) }
    func encode(_ value: UInt) throws { try integer(value) }
    func encode(_ value: UInt8) throws { try integer(value) }
    func encode(_ value: UInt16) throws { try integer(value) }
    func encode(_ value: UInt32) throws { try integer(value) }
    func encode(_ value: UInt64) throws { try integer(value) }
    func encode(_ value: UInt128) throws { try integer(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        nested().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }

    func superEncoder() -> any Encoder { nested() }

    /// What writes the next element later.
    private func nested() -> ValueWriter {
        let index = count
        do throws(OpenText.NotInOrder) {
            try writer.text.beginElement(of: place)
        } catch {
            return ValueWriter(writer: writer, place: .none)
        }
        return ValueWriter(writer: writer, place: writer.text.open(.value, .index(index)))
    }

    private func integer(_ value: some FixedWidthInteger) throws {
        try writer.text.beginElement(of: place)
        writer.write(value)
    }

    private func number(_ value: some BinaryFloatingPoint & CustomStringConvertible) throws {
        try writer.text.beginElement(of: place)
        writer.write(value)
    }
}
