public import FoundationEssentials
public import MastheadNetworking

/// Reads what a publisher says about its assets, and fetches their files.
///
/// ```swift
/// let assets = AssetRepository(configuration: .production)
/// for asset in try await assets.assets(article.assetIDs).get() where asset.kind == .image {
///     show(try await assets.data(of: asset).get())
/// }
/// ```
///
/// Every method is safe to call from any task; see ``VolumeRepository`` for the client key. Files are fetched from
/// wherever their URLs lead, which is why those requests carry neither the key nor any other header of the
/// configuration's, and pass no interceptor.
///
/// ## Topics
///
/// ### Assets
/// - ``asset(_:)``
/// - ``assets(_:)``
///
/// ### Files
/// - ``data(of:)``
/// - ``thumbnailData(of:)``
///
/// ### Errors
/// - ``AssetError``
public final class AssetRepository: CatalogueRepository, @unchecked Sendable {
    /// Reads one asset.
    ///
    /// - Returns: The asset, or ``AssetError`` when the server has none of that id.
    public func asset(_ id: Asset.ID) async -> Result<Asset, RepositoryError> {
        await elements([id]).flatMap {
            $0.first.map(Result.success) ?? .failure(.customError(AssetError.unknownAsset))
        }
    }

    /// Reads many assets: at most 50 a request, a few requests at a time.
    ///
    /// The first failure ends the whole. An id with a comma in it cannot be asked for.
    ///
    /// - Returns: The assets in the order of the ids, each once, without those the server does not know.
    public func assets(_ ids: [Asset.ID]) async -> Result<[Asset], RepositoryError> {
        await elements(ids)
    }

    /// Fetches the file of an asset: from the distribution network, and where that fails, from the publisher's host.
    ///
    /// The file sits in memory whole, so it may have at most `maximumBodySize` bytes.
    ///
    /// - Returns: The file; ``AssetError/withoutFile`` when the asset has no URL; what went wrong at the last URL
    ///   otherwise.
    public func data(of asset: Asset) async -> Result<Data, RepositoryError> {
        await data(at: [asset.cdnURL, asset.url])
    }

    /// Fetches the thumbnail of an asset in the same way.
    ///
    /// - Returns: The thumbnail; ``AssetError/withoutFile`` when the asset has none; what went wrong at the last URL
    ///   otherwise.
    public func thumbnailData(of asset: Asset) async -> Result<Data, RepositoryError> {
        await data(at: [asset.cdnThumbnailURL, asset.thumbnailURL])
    }

    private func data(at urls: [URL?]) async -> Result<Data, RepositoryError> {
        var result: Result<Data, RepositoryError> = .failure(.customError(AssetError.withoutFile))
        for url in urls.compactMap({ $0 }).unique() {
            result = await MediaRepository(at: url, access).data()
            switch result {
            case .success, .failure(.cancelled): return result
            case .failure: continue
            }
        }
        return result
    }
}
