/// A dictionary whose keys are names as written, whatever the strategy for keys is.
protocol StringKeyed {
    /// Decodes one from an object's members.
    static func decode(from decoder: TapeValueDecoder, _ index: Int, _ step: PathStep) throws -> Any
}

extension Dictionary: StringKeyed where Key == String, Value: Decodable {
    static func decode(from decoder: TapeValueDecoder, _ index: Int, _ step: PathStep) throws -> Any {
        let document = decoder.document
        guard index >= 0, document.word(index).isObject else {
            let isNull = index < 0 || document.word(index).isNull
            throw decoder.error(isNull ? .null([String: Any].self) : .mismatch([String: Any].self), at: step, index)
        }
        let own = TapeValueDecoder(document, at: index, under: decoder, step)
        var result: [String: Value] = [:]
        result.reserveCapacity(document.elementCount(index))
        let end = document.tape.index(after: index)
        var place = index + 2
        while place < end {
            let name = document.text(document.word(place))
            let value = try own.unwrap(place + 1, Value.self, .key(TapeKey(stringValue: name)))
            // Of two with one name, the first.
            if result[name] == nil { result[name] = value }
            place = document.tape.index(after: place + 1)
        }
        return result
    }
}
