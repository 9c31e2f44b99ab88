/// Writes the members of an object.
struct KeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: JSONWriter
    let place: OpenText.Place

    var codingPath: [any CodingKey] { writer.text.path(to: place) }

    func encodeNil(forKey key: Key) throws {
        try writer.text.beginMember(key.stringValue, of: place)
        writer.writeNull()
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try writer.text.beginMember(key.stringValue, of: place)
        try writer.write(value, .key(key), in: place)
    }

    func encode(_ value: Bool, forKey key: Key) throws {
        try writer.text.beginMember(key.stringValue, of: place)
        writer.write(value)
    }

    func encode(_ value: String, forKey key: Key) throws {
        try writer.text.beginMember(key.stringValue, of: place)
        writer.write(value)
    }

    func encode(_ value: Double, forKey key: Key) throws { try number(value, key) }
    func encode(_ value: Float, forKey key: Key) throws { try number(value, key) }
    func encode(_ value: Int, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: Int8, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: Int16, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: Int32, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: Int64, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: Int128, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt8, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt16, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt32, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt64, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try integer(value, key) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { nested(key).unkeyedContainer() }

    func superEncoder() -> any Encoder { nested(TapeKey.super) }

    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    /// What writes the value of a member later.
    private func nested(_ key: some CodingKey) -> ValueWriter {
        do throws(OpenText.NotInOrder) {
            try writer.text.beginMember(key.stringValue, of: place)
        } catch {
            return ValueWriter(writer: writer, place: .none)
        }
        return ValueWriter(writer: writer, place: writer.text.open(.value, .key(key)))
    }

    private func integer(_ value: some FixedWidthInteger, _ key: Key) throws {
        try writer.text.beginMember(key.stringValue, of: place)
        writer.write(value)
    }

    private func number(_ value: some BinaryFloatingPoint & CustomStringConvertible, _ key: Key) throws {
        try writer.text.beginMember(key.stringValue, of: place)
        writer.write(value)
    }
}
