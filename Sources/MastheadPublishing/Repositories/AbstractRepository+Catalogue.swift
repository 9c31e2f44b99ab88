import FoundationEssentials
import MastheadNetworking

// What the four repositories of the catalogue have in common: every answer is an array in an envelope.
extension AbstractRepository {
    /// The page size the publisher's own apps ask for; also what a limit of 0 or less means.
    static var defaultLimit: Int { 20 }

    /// Reads a page with its envelope.
    func page<Element: CatalogueElement>(
        _ path: RequestPath,
        query: Parameters = [:]
    ) async -> Result<Page<Element>, RepositoryError> {
        await perform(.get(path, query: query))
    }

    /// Reads the elements of a page.
    func list<Element: CatalogueElement>(
        _ path: RequestPath,
        query: Parameters = [:]
    ) async -> Result<[Element], RepositoryError> {
        let page: Result<Page<Element>, RepositoryError> = await page(path, query: query)
        return page.map { $0.elements.unique() }
    }

    /// Reads the one element a path stands for; `nil` for an empty array.
    func firstElement<Element: CatalogueElement>(
        _ path: RequestPath
    ) async -> Result<Element?, RepositoryError> {
        let page: Result<Page<Element>, RepositoryError> = await page(path)
        return page.map(\.elements.first).mapCustomError([404: Element.unknown, 410: Element.withdrawn])
    }

    /// Reads the one element a path stands for; an empty array means the same as a 404.
    func element<Element: CatalogueElement>(_ path: RequestPath) async -> Result<Element, RepositoryError> {
        await firstElement(path).flatMap { $0.map(Result.success) ?? .failure(.customError(Element.unknown)) }
    }

    /// Reads the element of an id.
    func element<Element: CatalogueElement>(_ id: Identifier<Element>) async -> Result<Element, RepositoryError> {
        if let problem = CataloguePath.problem(with: id) { return .failure(problem) }
        return await element(CataloguePath.object(id))
    }

    /// Reads the element of a SKU.
    func element<Element: CatalogueElement>(_ sku: SKU) async -> Result<Element, RepositoryError> {
        await element(RequestPath(segments: [Element.collection, "sku", sku.rawValue]))
    }
}
