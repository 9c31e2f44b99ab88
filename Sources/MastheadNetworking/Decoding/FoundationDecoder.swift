public import FoundationEssentials

/// Makes values of JSON with Foundation's `JSONDecoder`.
///
/// ```swift
/// $0.decoder = .foundation
/// ```
///
/// For a model that depends on something of Foundation's decoder that <doc:Decoding> lists as different.
public struct FoundationDecoder: ResponseDecoder {
    /// Makes one.
    public init() {}

    /// Makes a value with a new `JSONDecoder`.
    public func decode<Value: Decodable>(
        _ type: Value.Type,
        from body: Data,
        _ options: DecodingOptions
    ) throws -> Value {
        try options.makeDecoder().decode(type, from: body)
    }
}
