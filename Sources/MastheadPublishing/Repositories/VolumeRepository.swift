public import MastheadNetworking

/// Reads a publisher's volumes.
///
/// ```swift
/// let volumes = VolumeRepository(configuration: .production)
///
/// switch await volumes.volume("64a0c0ffee0000000000a001") {
/// case .success(let volume): show(volume)
/// case .failure(.customError(VolumeError.withdrawn)): showWithdrawn()
/// case .failure(let error): report(error)
/// }
/// ```
///
/// Every method is safe to call from any task. Each sends the configuration's client key, to the configuration's host
/// only; without a key it ends in `RepositoryError.invalidConfiguration` and nothing is sent.
///
/// ## Topics
///
/// ### One volume
/// - ``volume(_:)``
/// - ``volume(sku:)``
///
/// ### Many volumes
/// - ``all(limit:)``
/// - ``volumes()``
/// - ``volumes(page:limit:)``
/// - ``fullVolumes(_:)``
///
/// ### Errors
/// - ``VolumeError``
public final class VolumeRepository: CatalogueRepository, @unchecked Sendable {
    /// Reads as many volumes as the server gives when it is not told how many.
    public func volumes() async -> Result<[Volume], RepositoryError> {
        await list("volumes")
    }

    /// Reads one page of the volumes.
    ///
    /// - Parameters:
    ///   - page: The page, the first being 1, which also stands for anything less.
    ///   - limit: How many volumes a page has; 0 or less means 20.
    /// - Returns: The volumes of that page, empty past the last; some servers tell nothing but their ids, see
    ///   ``fullVolumes(_:)``.
    public func volumes(page: Int, limit: Int = 20) async -> Result<[Volume], RepositoryError> {
        await list("volumes", query: Parameters(page: page, limit: limit))
    }

    /// Reads all volumes, page by page, as they are asked for.
    ///
    /// - Parameter limit: How many volumes a page has; 0 or less means 20.
    /// - Returns: The volumes, and ``CatalogueSequence/pages`` of them.
    public func all(limit: Int = 20) -> CatalogueSequence<Volume> {
        CatalogueSequence(access, path: "volumes", limit: limit)
    }

    /// Reads one volume.
    ///
    /// - Returns: The volume, or ``VolumeError`` when the server has none of that id.
    public func volume(_ id: Volume.ID) async -> Result<Volume, RepositoryError> {
        await element(id)
    }

    /// Reads the volume that a store sells under a name.
    ///
    /// - Returns: The volume, or ``VolumeError`` when the server has none of that SKU.
    public func volume(sku: SKU) async -> Result<Volume, RepositoryError> {
        await element(sku)
    }

    /// Reads those volumes of a list of which nothing but the id is known; the others are taken as they are.
    ///
    /// Each takes a request, a few at a time: the API has no batch of volumes. The first failure ends the whole.
    ///
    /// - Returns: The volumes in the order of the list.
    public func fullVolumes(_ volumes: [Volume]) async -> Result<[Volume], RepositoryError> {
        await Calls.all(volumes) { $0.isStub ? await self.element($0.id) : .success($0) }
    }
}
