public import MastheadNetworking

/// What the server says when it refuses an asset, and what keeps its file from being fetched.
///
/// ```swift
/// case .failure(.customError(AssetError.withoutFile)): showPlaceholder()
/// ```
public enum AssetError: String, CustomRepositoryError {
    /// There is no such asset: a 404, or an answer with no asset in it.
    case unknownAsset

    /// The publisher took it back: a 410.
    case withdrawn

    /// The asset has no URL that can be fetched.
    case withoutFile
}
