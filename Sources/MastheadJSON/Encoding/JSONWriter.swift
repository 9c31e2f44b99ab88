import FoundationEssentials

/// Writes values into a text, on behalf of the containers that models are given.
final class JSONWriter {
    /// Not a variable of the class, at each use of which the runtime would see whether it is used already: no use goes on
    /// while a model's own code runs.
    private let storage: UnsafeMutablePointer<OpenText>
    private let oddNumbers: DirectEncoder.OddNumbers

    init(_ oddNumbers: DirectEncoder.OddNumbers) {
        self.oddNumbers = oddNumbers
        storage = .allocate(capacity: 1)
        storage.initialize(to: OpenText())
    }

    deinit {
        storage.deinitialize(count: 1)
        storage.deallocate()
    }

    var text: OpenText {
        _read { yield storage.pointee }
        _modify { yield &storage.pointee }
    }

    /// Writes the whole.
    func writeAll(_ value: some Encodable) throws {
        let root = text.open(.value, .none)
        try text.beginValue(in: root)
        try write(value, .none, in: root)
        guard !text.hasFailed else { throw OpenText.NotInOrder() }
    }

    /// Writes a value of any type where the text is.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - step: What leads to it from the part that it is in.
    ///   - place: That part, or the place of the value itself.
    /// - Throws: What the value's own code throws, or that it is not in order.
    func write<Value: Encodable>(_ value: Value, _ step: PathStep, in place: OpenText.Place) throws {
        // Those that Foundation's encoder writes itself, and those that are most often there.
        if Value.self == String.self { return write(unsafeBitCast(value, to: String.self)) }
        if Value.self == Date.self {
            return write(unsafeBitCast(value, to: Date.self).timeIntervalSinceReferenceDate)
        }
        if Value.self == URL.self { return write(unsafeBitCast(value, to: URL.self).absoluteString) }
        if Value.self == Data.self { return write(unsafeBitCast(value, to: Data.self).base64EncodedString()) }
        if Value.self == Decimal.self { return try write(unsafeBitCast(value, to: Decimal.self)) }
        if Value.self == [String].self { return write(unsafeBitCast(value, to: [String].self)) }
        let own = text.open(.value, step)
        do {
            try value.encode(to: ValueWriter(writer: self, place: own))
        } catch {
            // Whoever passes over it wants nothing of the value, and some of it is there.
            _ = text.fail()
            throw error
        }
        try text.goBack(to: place)
    }

    func write(_ value: String) { JSONScalar.append(value, to: &text.bytes) }

    func write(_ value: Bool) { append(value ? "true" : "false") }

    func write(_ value: some FixedWidthInteger) { append(value.description) }

    func writeNull() { append("null") }

    func write(_ value: some BinaryFloatingPoint & CustomStringConvertible) {
        guard value.isFinite else {
            return write(
                value.isNaN ? oddNumbers.nan : value > 0 ? oddNumbers.positiveInfinity : oddNumbers.negativeInfinity
            )
        }
        JSONScalar.append(value, to: &text.bytes)
    }

    private func write(_ value: Decimal) throws {
        guard value.isFinite else { throw text.fail() }
        append(value.description)
    }

    private func write(_ values: [String]) {
        text.bytes.append(UInt8(ascii: "["))
        for (index, value) in values.enumerated() {
            if index > 0 { text.bytes.append(UInt8(ascii: ",")) }
            write(value)
        }
        text.bytes.append(UInt8(ascii: "]"))
    }

    private func append(_ word: String) { text.bytes.append(contentsOf: word.utf8) }
}
