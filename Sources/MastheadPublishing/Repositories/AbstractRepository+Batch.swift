import MastheadNetworking

extension AbstractRepository {
    /// How many ids go into one request.
    static var batchSize: Int { 50 }

    /// Reads the elements of many ids: at most ``batchSize`` ids a request, a few requests at a time.
    ///
    /// - Returns: The elements in the order of the ids, each once, without those the server does not know.
    func elements<Element: CatalogueElement>(
        _ ids: [Identifier<Element>]
    ) async -> Result<[Element], RepositoryError> {
        let ids = ids.unique()
        if let problem = ids.lazy.compactMap({ CataloguePath.problem(with: $0, amongOthers: true) }).first {
            return .failure(problem)
        }
        return await Calls.all(ids.chunks(of: Self.batchSize)) { batch in
            let answer: Result<[Element], RepositoryError> = await self.list(CataloguePath.objects(batch))
            return answer.mapCustomError([404: Element.unknown, 410: Element.withdrawn])
        }.map { batches in
            let found = Dictionary(batches.joined().map { ($0.id, $0) }) { first, _ in first }
            return ids.compactMap { found[$0] }
        }
    }
}

extension Collection where Index == Int, Self: Sendable, SubSequence: Sendable {
    /// Cuts the collection into pieces of one size; the last may be smaller.
    func chunks(of size: Int) -> [SubSequence] {
        stride(from: startIndex, to: endIndex, by: size).map { self[$0..<Swift.min($0 + size, endIndex)] }
    }
}

extension Sequence where Element: Hashable {
    /// The elements in order, each where it stands first.
    func unique() -> [Element] {
        let all = Array(self)
        // Of few, to look at those before costs less than to hash them.
        if all.count <= 8 {
            let isFirst = { index in !(0..<index).contains { all[$0] == all[index] } }
            return all.indices.allSatisfy(isFirst) ? all : all.indices.filter(isFirst).map { all[$0] }
        }
        var seen: Set<Element> = []
        return all.filter { seen.insert($0).inserted }
    }
}

extension Sequence where Element: Identifiable {
    /// The elements in order, each id where it stands first.
    func unique() -> [Element] {
        var seen: Set<Element.ID> = []
        return filter { seen.insert($0.id).inserted }
    }
}
