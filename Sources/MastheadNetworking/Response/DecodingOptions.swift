public import FoundationEssentials

/// How JSON becomes values, and values JSON.
///
/// ```swift
/// let configuration = NetworkingConfiguration(domainURL: "api.example.com") {
///     $0.decoding.keys = .convertFromSnakeCase
///     $0.decoding.dates = .secondsSince1970
/// }
/// ```
public struct DecodingOptions: Sendable {
    /// How dates are written.
    public enum Dates: Sendable {
        /// RFC 3339 and its relatives: with or without fraction, any offset, a space or a lower-case `t`, or a date alone.
        case iso8601
        case secondsSince1970
        case millisecondsSince1970
        case custom(
            decode: @Sendable (any Decoder) throws -> Date,
            encode: @Sendable (Date, any Encoder) throws -> Void
        )
    }

    /// How member names become property names.
    public enum Keys: Sendable {
        case asWritten
        case convertFromSnakeCase
    }

    /// How dates are written; ``Dates/iso8601`` by default.
    public var dates: Dates = .iso8601

    /// How member names become property names; ``Keys/asWritten`` by default.
    public var keys: Keys = .asWritten

    public init() {}
}
