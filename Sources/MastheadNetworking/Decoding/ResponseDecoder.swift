public import FoundationEssentials

/// Makes a value of an answer's JSON: ours, Foundation's, or an app's own.
///
/// ```swift
/// let configuration = NetworkingConfiguration(domainURL: "api.example.com") { $0.decoder = .foundation }
/// ```
///
/// It is called off the caller's actor, by any number of calls at once. <doc:Decoding> tells how the two differ.
public protocol ResponseDecoder: Sendable {
    /// Makes a value.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - body: UTF-8 without a byte order mark, whatever encoding the answer came in; not empty.
    ///   - options: How the JSON is written.
    /// - Returns: The value.
    /// - Throws: A `DecodingError`, or what the model throws. The call finds out by itself whether the bytes are JSON, and
    ///   where they are not.
    func decode<Value: Decodable>(_ type: Value.Type, from body: Data, _ options: DecodingOptions) throws -> Value
}

extension ResponseDecoder where Self == MastheadDecoder {
    /// ``MastheadDecoder``.
    public static var masthead: MastheadDecoder { MastheadDecoder() }
}

extension ResponseDecoder where Self == FoundationDecoder {
    /// ``FoundationDecoder``.
    public static var foundation: FoundationDecoder { FoundationDecoder() }
}
