/// Writes the value of one place.
struct ValueWriter: Encoder, SingleValueEncodingContainer {
    let writer: JSONWriter
    let place: OpenText.Place

    var codingPath: [any CodingKey] { writer.text.path(to: place) }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedWriter(writer: writer, place: writer.text.open(.object, at: place)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        UnkeyedWriter(writer: writer, place: writer.text.open(.array, at: place))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func encodeNil() throws {
        try writer.text.beginValue(in: place)
        writer.writeNull()
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        try writer.text.beginValue(in: place)
        try writer.write(value, .none, in: place)
    }

    func encode(_ value: Bool) throws {
        try writer.text.beginValue(in: place)
        writer.write(value)
    }

    func encode(_ value: String) throws {
        try writer.text.beginValue(in: place)
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

    private func integer(_ value: some FixedWidthInteger) throws {
        try writer.text.beginValue(in: place)
        writer.write(value)
    }

    private func number(_ value: some BinaryFloatingPoint & CustomStringConvertible) throws {
        try writer.text.beginValue(in: place)
        writer.write(value)
    }
}
