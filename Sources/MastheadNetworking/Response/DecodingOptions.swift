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
        /// RFC 3339 and its relatives: with or without fraction, any offset, a space or a lower-case `t`, or a date
        /// alone; written with a fraction of as many digits as are needed, and `Z`.
        ///
        /// A time without an offset, or a date alone, is taken as UTC.
        case iso8601

        /// A number of seconds, with a fraction where there is one.
        case secondsSince1970

        /// A number of milliseconds, with a fraction where there is one.
        case millisecondsSince1970

        /// As the app's own code has it.
        case custom(
            decode: @Sendable (any Decoder) throws -> Date,
            encode: @Sendable (Date, any Encoder) throws -> Void
        )
    }

    /// How member names become property names.
    public enum Keys: Sendable {
        /// They are the same.
        case asWritten

        /// `publish_date` becomes `publishDate`, and the other way round when encoding.
        case convertFromSnakeCase
    }

    /// How dates are written; ``Dates/iso8601`` by default.
    public var dates: Dates = .iso8601

    /// How member names become property names; ``Keys/asWritten`` by default.
    public var keys: Keys = .asWritten

    /// Makes the default options.
    public init() {}
}

extension DecodingOptions {
    /// A decoder of these options.
    package func makeDecoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy =
            switch dates {
            case .iso8601: .custom(Self.decodeISO8601)
            case .secondsSince1970: .secondsSince1970
            case .millisecondsSince1970: .millisecondsSince1970
            case .custom(let decode, _): .custom(decode)
            }
        if keys == .convertFromSnakeCase { decoder.keyDecodingStrategy = .convertFromSnakeCase }
        return decoder
    }

    /// An encoder of these options.
    package func makeEncoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        encoder.dateEncodingStrategy =
            switch dates {
            case .iso8601: .custom(Self.encodeISO8601)
            case .secondsSince1970: .secondsSince1970
            case .millisecondsSince1970: .millisecondsSince1970
            case .custom(_, let encode): .custom(encode)
            }
        if keys == .convertFromSnakeCase { encoder.keyEncodingStrategy = .convertToSnakeCase }
        return encoder
    }

    private static let decodeISO8601: @Sendable (any Decoder) throws -> Date = { decoder in
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let date = Date(iso8601: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "The string is no ISO 8601 date.")
        }
        return date
    }

    private static let encodeISO8601: @Sendable (Date, any Encoder) throws -> Void = { date, encoder in
        var container = encoder.singleValueContainer()
        guard let text = date.iso8601 else {
            let context = EncodingError.Context(
                codingPath: container.codingPath,
                debugDescription: "The date is not in the years 0 to 9999."
            )
            throw EncodingError.invalidValue(date, context)
        }
        try container.encode(text)
    }
}
