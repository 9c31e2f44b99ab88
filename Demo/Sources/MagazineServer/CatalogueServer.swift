import Foundation

/// The catalogue: answers the Magnet read API for one environment.
public struct CatalogueServer: Sendable {
    private let magazine: Magazine
    private let clientKey: String
    private let allowsPreview: Bool

    /// Makes the catalogue of an environment.
    ///
    /// - Parameters:
    ///   - magazine: What it offers.
    ///   - clientKey: The key every request must bear.
    ///   - allowsPreview: Whether the key opens drafts, for an app that also sends `X-Preview-App: preview`.
    public init(magazine: Magazine, clientKey: String, allowsPreview: Bool) {
        self.magazine = magazine
        self.clientKey = clientKey
        self.allowsPreview = allowsPreview
    }

    /// Answers one request.
    public func answer(_ request: ServerRequest) -> Answer {
        guard request.authorization == "method=clientkey,token=\(clientKey)" else {
            return .refusal(401, "Unauthorized", "The client key is missing or unknown.", code: "clientKey")
        }
        guard request.method == "GET" || request.method == "HEAD" else {
            return .refusal(405, "Method Not Allowed", "The catalogue is read only.", code: "method")
        }
        let showsDrafts = allowsPreview && request.previewApp == "preview"
        let rest = Array(request.segments.dropFirst())
        return switch request.segments.first {
        case "volumes": volumes(rest, request, showsDrafts)
        case "issues": issues(rest, request, showsDrafts)
        case "articles": articles(rest, request, showsDrafts)
        case "media": batch("media", magazine.media, rest, visible: { _ in true })
        default: .unknownPath
        }
    }

    private func volumes(_ rest: [String], _ request: ServerRequest, _ showsDrafts: Bool) -> Answer {
        let all = magazine.volumes.filter { $0.isPublished || showsDrafts }
        switch rest.count {
        case 0: return list("volumes", all, request)
        case 1:
            if let detail = magazine.withdrawn[rest[0]] { return .withdrawn(detail) }
            return single("volumes", all.first { $0.id == rest[0] })
        case 2 where rest[0] == "sku":
            if let detail = magazine.withdrawn[rest[1]] { return .withdrawn(detail) }
            return single("volumes", all.first { $0.sku == rest[1] })
        default: return .unknownPath
        }
    }

    private func issues(_ rest: [String], _ request: ServerRequest, _ showsDrafts: Bool) -> Answer {
        let all = magazine.issues.filter { $0.isPublished || showsDrafts }
        switch (rest.first, rest.count) {
        case (nil, _): return list("issues", all, request)
        case ("published", _), ("preview", _):
            return selection("issues", magazine.issues, rest, request, showsDrafts)
        case ("sku", 2): return single("issues", all.first { $0.sku == rest[1] })
        case (let id, 1): return single("issues", all.first { $0.id == id })
        case (let id, 3) where rest[1] == "since":
            guard let moment = Timestamp.microseconds(rest[2]) else { return .noMoment }
            guard let issue = all.first(where: { $0.id == id }) else { return .unknown("issues") }
            return .envelope("issues", [issue.json(articlesSince: moment)])
        default: return .unknownPath
        }
    }

    private func articles(_ rest: [String], _ request: ServerRequest, _ showsDrafts: Bool) -> Answer {
        let all = magazine.articles.filter { $0.isPublished || showsDrafts }
        switch (rest.first, rest.count) {
        case (nil, _): return list("articles", all, request)
        case ("published", _), ("preview", _):
            return selection("articles", magazine.articles, rest, request, showsDrafts)
        case ("since", 2):
            guard let moment = Timestamp.microseconds(rest[1]) else { return .noMoment }
            return list("articles", all.filter { $0.isChanged(since: moment) }, request)
        case ("sku", 2): return single("articles", all.first { $0.sku == rest[1] })
        case (let property?, 2): return list("articles", all.filter { $0.has(property, rest[1]) }, request)
        default:
            return batch("articles", magazine.articles + magazine.galleys, rest) { $0.isPublished || showsDrafts }
        }
    }

    /// `published` and `preview`, each with or without `since`.
    private func selection(
        _ name: String,
        _ items: [Item],
        _ rest: [String],
        _ request: ServerRequest,
        _ showsDrafts: Bool
    ) -> Answer {
        var moment: Int?
        if rest.count == 3, rest[1] == "since" {
            moment = Timestamp.microseconds(rest[2])
            if moment == nil { return .noMoment }
        } else if rest.count != 1 {
            return .unknownPath
        }
        let isPreview = rest[0] == "preview"
        if isPreview && !showsDrafts {
            return .refusal(403, "Forbidden", "This key and this app may not see drafts.", code: "preview")
        }
        return list(name, items.filter { $0.isPublished != isPreview && $0.isChanged(since: moment) }, request)
    }

    private func single(_ name: String, _ item: Item?) -> Answer {
        guard let item else { return .unknown(name) }
        return .envelope(name, [item.json])
    }

    /// One id or several with commas between: in the order asked for, those that are unknown left out.
    private func batch(_ name: String, _ items: [Item], _ rest: [String], visible: (Item) -> Bool) -> Answer {
        guard rest.count == 1 else { return .unknownPath }
        let known = Dictionary(items.filter(visible).map { ($0.id, $0.json) }) { $1 }
        let found = rest[0].split(separator: ",").compactMap { known[String($0)] }
        return found.isEmpty ? .unknown(name) : .envelope(name, found)
    }

    /// One page, and where the next one is.
    private func list(_ name: String, _ items: [Item], _ request: ServerRequest) -> Answer {
        let asked = request.query["limit"].map { Int($0) ?? 0 } ?? 20
        let limit = asked > 0 ? min(asked, 100) : 20
        let page = max(1, request.query["page"].flatMap(Int.init) ?? 1)
        let (skipped, overflow) = (page - 1).multipliedReportingOverflow(by: limit)
        let rest = overflow ? [] : items.dropFirst(skipped)
        let next = rest.count > limit ? "http://\(request.host)\(request.path)?limit=\(limit)&page=\(page + 1)" : nil
        return .envelope(name, rest.prefix(limit).map(\.json), next: next)
    }
}

extension Answer {
    fileprivate static let unknownPath = refusal(404, "Not Found", "No such path.", code: "unknownPath")
    fileprivate static let noMoment = refusal(400, "Bad Request", "That is no ISO 8601 timestamp.", code: "timestamp")

    fileprivate static func withdrawn(_ detail: String) -> Answer {
        refusal(410, "Withdrawn", detail, code: "withdrawn")
    }

    fileprivate static func unknown(_ name: String) -> Answer {
        refusal(404, "Not Found", "Nothing of that id or SKU in \(name).", code: "unknown")
    }

    fileprivate static func envelope(_ name: String, _ elements: [Data], next: String? = nil) -> Answer {
        var body = Data("{\"\(name)\":[".utf8)
        for (index, element) in elements.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body.append(element)
        }
        let link = next.map { "\"\($0.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"" } ?? "null"
        body.append(contentsOf: "],\"meta\":{\"pagination\":{\"next\":\(link)}}}".utf8)
        return Answer(contentType: "application/json", body: body)
    }
}
