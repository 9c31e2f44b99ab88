/// What a store calls a product: a reverse-DNS name such as `org.example.tidewater.issue.20260105`.
///
/// ```swift
/// let issue = await issues.issue(sku: "org.example.tidewater.issue.20260105")
/// ```
///
/// Any text that is not empty may be one. The wire says `""` for "not sold", which the models read as `nil`.
public struct SKU: Sendable, Hashable, RawRepresentable {
    /// The name as the store writes it.
    public let rawValue: String

    /// Takes a text for a SKU.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Takes a text for a SKU.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

extension SKU: ExpressibleByStringInterpolation, LosslessStringConvertible {
    /// Takes a literal for a SKU.
    public init(stringLiteral value: String) {
        rawValue = value
    }

    /// The name as the store writes it.
    public var description: String { rawValue }
}

extension SKU: Codable {
    /// Reads a string.
    ///
    /// - Throws: `DecodingError` for anything else, and for an empty string.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        rawValue = try container.decode(String.self)
        if rawValue.isEmpty {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "A SKU must not be empty.")
        }
    }

    /// Writes a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
