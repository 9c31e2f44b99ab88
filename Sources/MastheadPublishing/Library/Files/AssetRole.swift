/// Which of an asset's two files.
///
/// ```swift
/// let picture = try await library.file(of: asset.id, .thumbnail)
/// ```
public enum AssetRole: Int, Sendable, Hashable {
    /// The file itself.
    case original = 1

    /// Its thumbnail.
    case thumbnail = 2
}
