import FoundationEssentials

/// A value that is shown until the server has it.
///
/// ```swift
/// let bookmark = try value.decode(Bookmark.self)
/// ```
public struct OptimisticValue: Sendable, Hashable {
    /// What it is the value of.
    public let key: String

    /// The write that will make it so.
    public let write: OutboxItem.ID

    /// The write's kind.
    public let kind: String

    /// The value, encoded.
    let data: Data

    /// Makes the value.
    ///
    /// - Throws: What the type's decoding throws: a `DecodingError` if the app has changed it since.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: data)
    }
}
