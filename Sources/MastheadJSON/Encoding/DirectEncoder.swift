/// Encodes models as they come: each value is written where it belongs at once, and nothing is held of the others.
///
/// That takes a fraction of the time that Foundation's encoder takes, which makes an object of each value first. What
/// cannot be written in one go is left to that one: see ``encode(_:to:)``.
///
/// Keys, dates and data are as Foundation's encoder has them by default, and slashes are not escaped. A model in a nested
/// container is told its whole path, of which that one leaves out a part.
package struct DirectEncoder: Sendable {
    /// What stands for the numbers that JSON has not.
    package struct OddNumbers: Sendable {
        let positiveInfinity: String
        let negativeInfinity: String
        let nan: String

        package init(positiveInfinity: String, negativeInfinity: String, nan: String) {
            self.positiveInfinity = positiveInfinity
            self.negativeInfinity = negativeInfinity
            self.nan = nan
        }
    }

    private let oddNumbers: OddNumbers

    package init(oddNumbers: OddNumbers) {
        self.oddNumbers = oddNumbers
    }

    /// Writes a value behind bytes that are there.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - bytes: Where to; as it was if there is an error.
    /// - Throws: What the value's own code throws; an error of no meaning if it encodes itself in an order that is not
    ///   that of the text, gives a name twice, or does what an encoder does not allow. Foundation's encoder then has the
    ///   right text, or the right error.
    package func encode(_ value: some Encodable, to bytes: inout [UInt8]) throws {
        let start = bytes.count
        let writer = JSONWriter(oddNumbers)
        // Its memory is the writer's meanwhile, so that nothing is copied.
        swap(&bytes, &writer.text.bytes)
        defer { swap(&bytes, &writer.text.bytes) }
        do {
            try writer.writeAll(value)
        } catch {
            writer.text.end()
            writer.text.bytes.removeSubrange(start...)
            throw error
        }
    }
}
