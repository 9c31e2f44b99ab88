import FoundationEssentials
import MastheadNetworking
import MastheadPublishing
import MastheadTesting

extension StubCatalogue {
    /// Answers a request, as the protocol says.
    mutating func answer(_ path: [String], _ query: String) -> StubExecutor.Answer {
        answersLeft -= 1
        guard answersLeft >= 0 else { return .failure(.noNetworkConnection) }
        now += secondsPerAnswer
        let headers: HTTPHeaders = saysDate ? ["Date": Self.httpDate(now)] : [:]
        let query = Query(query)
        let rest = Array(path.dropFirst())
        switch path.first {
        case "volumes": return answer("volumes", volumes, rest, query, headers, \.sku, { $0.isPublished }) { _ in nil }
        case "issues": return answer("issues", issues, rest, query, headers, \.sku, { $0.isPublished }, \.updated)
        case "articles": return answer("articles", articles, rest, query, headers, \.sku, { $0.isPublished }, \.updated)
        case "media": return answer("media", assets, rest, query, headers, { _ in nil }, { _ in true }, \.updated)
        case "files": return .text(rest.joined(separator: "/"))
        default: return .status(404)
        }
    }

    private func answer<Element: Identifiable & Encodable>(
        _ name: String,
        _ all: [Element],
        _ path: [String],
        _ query: Query,
        _ headers: HTTPHeaders,
        _ sku: (Element) -> SKU?,
        _ isPublished: (Element) -> Bool,
        _ updated: (Element) -> Date?
    ) -> StubExecutor.Answer where Element.ID == Identifier<Element> {
        var (path, found, isList) = (path, all, true)
        switch path.first {
        case "published":
            found = all.filter(isPublished)
            path.removeFirst()
        case "preview":
            found = all.filter { !isPublished($0) }
            path.removeFirst()
        case "sku":
            found = all.filter { sku($0)?.rawValue == path.last }
            (path, isList) = ([], false)
        case "since", nil: break
        case "section" where name == "articles":
            found = all.filter { ($0 as? Article)?.section == path.last }
            path = []
        default:
            let ids = path[0].split(separator: ",").map { Element.ID(String($0)) }
            found = ids.compactMap { id in all.first { $0.id == id } }
            if refusesUnknown, found.count < ids.count { return .status(404, headers: headers) }
            (path, isList) = ([], false)
        }
        if path.first == "since", let since = path.last.flatMap({ Date(iso8601: $0) }) {
            found = found.filter { updated($0).map { $0 >= since } ?? true }
        }
        if isList { found.removeAll { unlisted.contains($0.id.rawValue) } }
        if !isList, found.isEmpty { return .status(404, headers: headers) }
        let page = isList ? Array(found.dropFirst((query.page - 1) * query.limit).prefix(query.limit)) : found
        let texts = page.map { isList ? listed($0) : Self.json($0) }
        return .json(#"{"\#(name)":[\#(texts.joined(separator: ","))]}"#, headers: headers)
    }

    /// What a list says of an element.
    private func listed<Element: Identifiable & Encodable>(_ element: Element) -> String
    where Element.ID == Identifier<Element> {
        if listsOnlyIDs { return #"{"id":"\#(element.id)"}"# }
        guard listsLeaveTextsOut, var article = element as? Article else { return Self.json(element) }
        article.body = ""
        return Self.json(article)
    }

    private static func json(_ value: some Encodable) -> String {
        (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    private static func httpDate(_ date: Date) -> String {
        // The day of the week is not looked at by anybody.
        let text = date.iso8601 ?? ""
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = text.split { "-T.Z".contains($0) }.map(String.init)
        guard parts.count > 3, let month = Int(parts[1]), (1...12).contains(month) else { return "" }
        return "Mon, \(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3]) GMT"
    }
}

/// The query of a list.
private struct Query {
    var page = 1
    var limit = 20

    init(_ text: String) {
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=")
            guard parts.count == 2, let number = Int(parts[1]) else { continue }
            if parts[0] == "page" { page = number }
            if parts[0] == "limit" { limit = number }
        }
    }
}
