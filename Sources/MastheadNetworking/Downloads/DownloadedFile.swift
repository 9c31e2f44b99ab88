public import FoundationEssentials

/// A file that was downloaded whole and stands in its place.
///
/// ```swift
/// let file = try await download(.get("issues/7/bundle.zip"), to: path).get()
/// open(file.path)
/// ```
public struct DownloadedFile: Sendable, Hashable {
    /// Where it is.
    public let path: String

    /// How many bytes it has.
    public let size: Int

    /// How many of them an earlier download had brought already.
    public let resumedFrom: Int

    /// The header fields of the answer that brought the last of it.
    public let headers: HTTPHeaders

    /// Where it came from: after redirects, the last URL.
    public let url: URL
}
