import Foundation

/// One volume, issue, article or medium: its bytes as they stand in the file, and what look-ups need of them.
struct Item: Sendable {
    let id: String
    let sku: String?
    let isPublished: Bool

    /// `meta.updated.date`, in microseconds since 1970.
    let updated: Int?

    /// The element as it goes out, the media server's address filled in.
    let json: Data

    /// What `articles/{property}/{value}` may ask for: members of the element, of `meta` and of `customMeta`.
    private let properties: [String: Set<String>]

    init(json: Data, file: String) throws(MagazineError) {
        guard let members = (try? JSONSerialization.jsonObject(with: json)) as? [String: Any] else {
            throw MagazineError(file: file, reason: "is no JSON object")
        }
        // Of a galley even the id may be off its schema: then the file's name is the address.
        let name = URL(filePath: file).deletingPathExtension().lastPathComponent
        id = members["id"] as? String ?? name
        sku = (members["sku"] as? String).flatMap { $0.isEmpty ? nil : $0 }
        let meta = members["meta"] as? [String: Any] ?? [:]
        isPublished = (meta["published"] as? NSNumber)?.boolValue ?? true
        let date = (meta["updated"] as? [String: Any])?["date"] as? String
        updated = date.flatMap(Timestamp.microseconds)
        if date != nil && updated == nil {
            throw MagazineError(file: file, reason: "has a date that is none: meta.updated.date")
        }
        self.json = json
        var properties: [String: Set<String>] = [:]
        for group in [members["customMeta"] as? [String: Any] ?? [:], meta, members] {
            for (name, value) in group { properties[name] = Self.texts(of: value) }
        }
        self.properties = properties
    }

    func has(_ property: String, _ value: String) -> Bool {
        properties[property]?.contains(value) ?? false
    }

    func isChanged(since moment: Int?) -> Bool {
        guard let moment else { return true }
        return updated.map { $0 >= moment } ?? true
    }

    /// The issue with only those of its articles that changed since then.
    func json(articlesSince moment: Int) -> Data {
        guard var members = (try? JSONSerialization.jsonObject(with: json)) as? [String: Any],
            let articles = members["articles"] as? [[String: Any]]
        else { return json }
        members["articles"] = articles.filter { stub in
            let date = (stub["updated"] as? [String: Any])?["date"] as? String
            return date.flatMap(Timestamp.microseconds).map { $0 >= moment } ?? true
        }
        let data = try? JSONSerialization.data(
            withJSONObject: members,
            options: [.sortedKeys, .withoutEscapingSlashes]
        )
        return data ?? json
    }

    private static func texts(of value: Any) -> Set<String> {
        switch value {
        case let text as String: [text]
        case let number as NSNumber: [number.stringValue]
        case let list as [Any]: list.reduce(into: []) { $0.formUnion(texts(of: $1)) }
        default: []
        }
    }
}
