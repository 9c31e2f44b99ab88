public import FoundationEssentials
import MastheadNetworking

extension Library {
    /// Where a file of an asset is; it is fetched if it is not here, and again if the asset was changed since.
    ///
    /// For covers and thumbnails, when they are to be shown. The file is fetched into memory, from wherever its URL leads and
    /// without the client key: see ``AssetRepository/data(of:)``. One that is here, but not what the publisher has now, is
    /// given as it is if the new one cannot be fetched.
    ///
    /// - Parameters:
    ///   - asset: An asset in the library.
    ///   - role: Which of its files.
    /// - Returns: Where it is, as ``file(of:_:)`` says.
    /// - Throws: ``LibraryError/catalogue(_:)`` with ``AssetError/withoutFile`` if there is none to fetch, and with
    ///   ``AssetError/unknownAsset`` if there is no such asset here.
    @concurrent
    public func fetchFile(of asset: Asset.ID, _ role: AssetRole = .thumbnail) async throws(LibraryError) -> URL {
        let here = try await storedFile(of: asset, role)
        if let here, !here.isOutdated { return here.url }
        do throws(LibraryError) {
            try await bringFile(of: asset, role)
        } catch {
            if let here, error.isOfTheCatalogue { return here.url }
            throw error
        }
        guard let file = try await file(of: asset, role) else {
            throw .unavailable(reason: "the file was removed while it was fetched")
        }
        return file
    }

    private func bringFile(of asset: Asset.ID, _ role: AssetRole) async throws(LibraryError) {
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
            try await take(part, for: asset, role, from: known.updated)
        } catch {
            try? FileManager.default.removeItem(at: part)
            throw error
        }
    }
}

extension LibraryError {
    /// Whether the catalogue is what failed, and not the library.
    fileprivate var isOfTheCatalogue: Bool {
        if case .catalogue = self { true } else { false }
    }
}
