import MastheadNetworking

extension CatalogueRepository {
    /// What many ids brought.
    typealias Found<Element> = (found: [Element], requestCount: Int)

    /// Reads the elements of many ids, as many as go into one request at a time.
    ///
    /// - Returns: Those that the server knows; an id that cannot be asked for is not among them.
    func batches<Element: CatalogueElement>(
        of ids: [Identifier<Element>]
    ) async throws(LibraryError) -> Found<Element> {
        let ids = ids.unique().filter { CataloguePath.problem(with: $0, amongOthers: true) == nil }
        switch await Calls.all(ids.chunks(of: Self.batchSize), { await self.batch(of: Array($0)) }) {
        case .success(let batches): return (batches.flatMap(\.found), batches.reduce(0) { $0 + $1.requestCount })
        case .failure(let error): throw LibraryError(asking: error)
        }
    }

    /// Reads a batch; in two halves if the server refuses the whole for an id that it does not know.
    private func batch<Element: CatalogueElement>(
        of ids: [Identifier<Element>]
    ) async -> Result<Found<Element>, RepositoryError> {
        let answer: Result<[Element], RepositoryError> = await list(CataloguePath.objects(ids))
        switch answer.mapCustomError([404: Element.unknown, 410: Element.withdrawn]) {
        case .success(let found): return .success((found, 1))
        case .failure(let error) where error.isGone:
            var whole: Found<Element> = ([], 1)
            guard ids.count > 1 else { return .success(whole) }
            for half in ids.chunks(of: (ids.count + 1) / 2) {
                switch await batch(of: Array(half)) {
                case .success(let part):
                    whole.found += part.found
                    whole.requestCount += part.requestCount
                case .failure(let error): return .failure(error)
                }
            }
            return .success(whole)
        case .failure(let error): return .failure(error)
        }
    }
}
