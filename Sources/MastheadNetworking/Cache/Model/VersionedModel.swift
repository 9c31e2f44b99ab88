/// A model whose shape has a number, so that values of an older shape are not taken for ones of the present.
///
/// ```swift
/// struct Bookmark: VersionedModel, Sendable {
///     static let modelVersion = 2         // 2: `articleID` instead of `article`
///     let id: String
///     let articleID: String
/// }
/// ```
///
/// A cached value of another version is a miss, and is replaced by the next that is kept. A model without a number has
/// version 0; one that no longer decodes is a miss all the same.
public protocol VersionedModel: Codable {
    /// The version of the shape; another number for each that cannot be read as the last.
    static var modelVersion: Int { get }
}
