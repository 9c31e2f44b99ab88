public import FoundationEssentials
import MastheadJSON

/// Makes values of JSON as Foundation's `JSONDecoder` does, several times as fast: the default.
///
/// ```swift
/// $0.decoder = .masthead
/// ```
///
/// It reads an answer's bytes once, and makes of them what the models ask for; members that no model asks for cost next to
/// nothing. Any `Decodable` decodes with it. <doc:Decoding> lists what it refuses and Foundation's doesn't, and its limits.
public struct MastheadDecoder: ResponseDecoder {
    /// Makes one.
    public init() {}

    /// Makes a value.
    ///
    /// - Throws: A `DecodingError` with the case and the coding path that Foundation's decoder throws; for a number that a
    ///   type cannot hold, with the path to it. Or what the model throws.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        from body: Data,
        _ options: DecodingOptions
    ) throws -> Value {
        try options.makeTapeDecoder().decode(type, from: body)
    }
}
