/// The id a publisher gave one object, typed by what it is the id of.
///
/// A volume's id cannot be handed to a call that wants an article's: each model has its own, such as ``Volume/ID``.
///
/// ```swift
/// let id: Article.ID = "64a0c0ffee0000000000c001"
/// let article = await articles.article(id)
/// ```
///
/// Any text that is not empty may be an id; it goes into a path as one segment, percent-encoded. In JSON it is a
/// string; a whole number is read as its digits.
public struct Identifier<Owner>: Sendable, Hashable, RawRepresentable {
    /// The id as the publisher writes it.
    public let rawValue: String

    /// Takes a text for an id.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Takes a text for an id.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

extension Identifier: ExpressibleByStringInterpolation, LosslessStringConvertible {
    /// Takes a literal for an id.
    public init(stringLiteral value: String) {
        rawValue = value
    }

    /// The id as the publisher writes it.
    public var description: String { rawValue }
}

extension Identifier: Codable {
    /// Reads a string or a whole number.
    ///
    /// - Throws: `DecodingError` for anything else, and for an empty string: an object without an id cannot be asked for.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            guard !text.isEmpty else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "An id must not be empty.")
            }
            rawValue = text
        } else if let number = try? container.decode(Int64.self) {
            rawValue = String(number)
        } else if let number = try? container.decode(UInt64.self) {
            rawValue = String(number)
        } else {
            throw DecodingError.typeMismatch(
                Self.self,
                .init(codingPath: decoder.codingPath, debugDescription: "Expected a string or a whole number.")
            )
        }
    }

    /// Writes a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
