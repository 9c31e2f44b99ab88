import FoundationEssentials
import MastheadNetworking

/// The paths of the catalogue, and what cannot stand in them.
enum CataloguePath {
    /// The words of the API's own paths: an object or property of such a name would ask for something else.
    private static let words: Set<String> = ["published", "preview", "since", "sku"]

    /// The path of one object.
    static func object<Element: CatalogueElement>(_ id: Identifier<Element>) -> RequestPath {
        RequestPath(segments: [Element.collection, id.rawValue])
    }

    /// The path of many objects.
    static func objects<Element: CatalogueElement>(_ ids: some Sequence<Identifier<Element>>) -> RequestPath {
        RequestPath(segments: [Element.collection, ids.map(\.rawValue).joined(separator: ",")])
    }

    /// The path of a list, cut down to what changed since a date.
    static func list(_ segments: [String], since date: Date?) -> RequestPath {
        RequestPath(segments: segments + (date.map { ["since", WireDate.text(of: $0)] } ?? []))
    }

    /// Why an id cannot be asked for; `nil` if it can.
    ///
    /// The layer refuses what is wrong in any path: nothing, `.` and `..`.
    static func problem<Owner>(with id: Identifier<Owner>, amongOthers: Bool = false) -> RepositoryError? {
        if words.contains(id.rawValue) {
            return .invalidURL(reason: "the id is a word of the API's own paths")
        }
        if amongOthers, id.rawValue.isEmpty {
            return .invalidURL(reason: "an id is empty")
        }
        if amongOthers, id.rawValue.contains(",") {
            return .invalidURL(reason: "an id holds a comma, which separates ids")
        }
        return nil
    }

    /// Why a property cannot be asked for; `nil` if it can.
    static func problem(withProperty property: String) -> RepositoryError? {
        words.contains(property) ? .invalidURL(reason: "the property is a word of the API's own paths") : nil
    }
}

extension Parameters {
    /// The query of one page of a list; the first page goes without a number.
    init(page: Int, limit: Int) {
        let limit = limit > 0 ? limit : AbstractRepository.defaultLimit
        self = ["limit": .int(Int64(limit))]
        if page > 1 { elements.append(Element(name: "page", value: .int(Int64(page)))) }
    }
}
