public import FoundationEssentials
import MastheadNetworking

extension Library {
    /// Where a file of an asset is; it is fetched if it is not here.
    ///
    /// For covers and thumbnails, when they are to be shown. The file is fetched into memory, from wherever its URL leads and
    /// without the client key: see ``AssetRepository/data(of:)``.
    ///
    /// - Parameters:
    ///   - asset: An asset in the library.
    ///   - role: Which of its files.
    /// - Returns: Where it is, as ``file(of:_:)`` says.
    /// - Throws: ``LibraryError/catalogue(_:)`` with ``AssetError/withoutFile`` if there is none to fetch, and with
    ///   ``AssetError/unknownAsset`` if there is no such asset here.
    @concurrent
    public func fetchFile(of asset: Asset.ID, _ role: AssetRole = .thumbnail) async throws(LibraryError) -> URL {
        if let file = try await file(of: asset, role) { return file }
        let sync = try LibrarySync(self)
        guard let known = try await self.asset(asset) else { throw .catalogue(.customError(AssetError.unknownAsset)) }
        let assets = sync.catalogue.assets
        let answer =
            switch role {
            case .original: await assets.data(of: known)
            case .thumbnail: await assets.thumbnailData(of: known)
            }
        let url = role == .original ? known.preferredURL : known.cdnThumbnailURL ?? known.thumbnailURL
        let part = directory.appending(path: "fetched-\(UUID().uuidString).\(url?.pathExtension ?? "")")
        switch answer {
        case .failure(let error): throw LibraryError(asking: error)
        case .success(let data):
            do {
                try data.write(to: part)
            } catch {
                try? FileManager.default.removeItem(at: part)
                throw .unavailable(reason: "the file cannot be written: is the disk full?")
            }
        }
        do throws(LibraryError) {
            try await take(part, for: asset, role)
        } catch {
            try? FileManager.default.removeItem(at: part)
            throw error
        }
        guard let file = try await file(of: asset, role) else {
            throw .unavailable(reason: "the file was removed while it was fetched")
        }
        return file
    }
}
