public import FoundationEssentials

/// How JSON is written: its dates, names, bytes and odd numbers.
///
/// ```swift
/// let configuration = NetworkingConfiguration(domainURL: "api.example.com") {
///     $0.decoding.keys = .convertFromSnakeCase
///     $0.decoding.dates = .secondsSince1970
/// }
/// ```
///
/// They hold for what is decoded and for what is encoded, with whichever ``ResponseDecoder``.
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

        /// As `Date` codes itself: a number of seconds since 2001.
        case deferredToDate

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

        /// As the app's own code has it: of the path to a name, the key that stands for it.
        ///
        /// The names of a dictionary by strings stay as they are.
        case custom(
            decode: @Sendable (_ codingPath: [any CodingKey]) -> any CodingKey,
            encode: @Sendable (_ codingPath: [any CodingKey]) -> any CodingKey
        )
    }

    /// How bytes are written.
    public enum Bytes: Sendable {
        /// Base64 (RFC 4648, section 4).
        case base64

        /// As `Data` codes itself: an array of numbers.
        case deferredToData

        /// As the app's own code has it.
        case custom(
            decode: @Sendable (any Decoder) throws -> Data,
            encode: @Sendable (Data, any Encoder) throws -> Void
        )
    }

    /// How numbers are written that JSON has no spelling for.
    public enum OddNumbers: Sendable {
        /// They are not: they fail.
        case refused

        /// As strings.
        case strings(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// How dates are written; ``Dates/iso8601`` by default.
    public var dates: Dates = .iso8601

    /// How member names become property names; ``Keys/asWritten`` by default.
    public var keys: Keys = .asWritten

    /// How `Data` is written; ``Bytes/base64`` by default.
    public var bytes: Bytes = .base64

    /// How infinities and what is no number are written; ``OddNumbers/refused`` by default.
    public var oddNumbers: OddNumbers = .refused

    /// What models find in the `userInfo` of their decoder and encoder; nothing by default.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Makes the default options.
    public init() {}
}
