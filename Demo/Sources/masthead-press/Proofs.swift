import Foundation
import Proofreading

/// Reads the publisher's files and notes what a reader must get of them.
enum Proofs {
    static func manifest(of folder: URL) throws -> Manifest {
        let about = try object(folder.appending(path: "magazine.json"))
        let withdrawn = (about["withdrawn"] as? [[String: Any]])?.first ?? [:]
        let galley = try elements(folder.appending(path: "staging/galleys")).first ?? [:]
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "files").path)
        return Manifest(
            name: text(about["name"]),
            production: try catalogue(folder),
            staging: try catalogue(folder.appending(path: "staging")),
            withdrawn: Manifest.Withdrawn(
                id: text(withdrawn["id"]),
                sku: text(withdrawn["sku"]),
                detail: text(withdrawn["detail"])
            ),
            galley: text(galley["id"]),
            collections: try collections(of: folder),
            files: try files.reduce(into: [:]) { sums, name in
                sums[name] = SHA256.hex(of: try Data(contentsOf: folder.appending(path: "files/\(name)")))
            }
        )
    }

    private static func catalogue(_ folder: URL) throws -> Manifest.Catalogue {
        var catalogue = Manifest.Catalogue()
        catalogue.volumes = try entries(folder, "volumes", texts: ["title", "subtitle", "description", "sku"]) {
            [
                "cover": text($0["featuredImage"]), "issues": references($0["issues"]),
                "releaseDate": text(meta($0)["releaseDate"]), "publisher": text(meta($0)["publishedBy"]),
            ]
        }
        catalogue.issues = try entries(folder, "issues", texts: ["title", "description", "sku"]) {
            [
                "cover": text($0["coverPhone"]), "coverTablet": text($0["coverTablet"]),
                "coverTabletLandscape": text($0["coverTabletLandscape"]),
                "articles": ($0["articles"] as? [[String: Any]] ?? []).map { stub in
                    text(stub["id"]) + " " + date((stub["updated"] as? [String: Any])?["date"])
                }.joined(separator: ","), "volumes": references($0["volumes"]),
                "displayDate": text(meta($0)["displayDate"]), "created": date(meta($0)["created"]),
            ]
        }
        let texts = [
            "title", "slug", "description", "body", "authorName", "authorUrl", "authorBio", "sharingUrl", "section",
            "type", "commentary", "sku",
        ]
        catalogue.articles = try entries(folder, "articles", texts: texts) {
            ["featured": flag(meta($0)["featured"])]
        }
        catalogue.media = try entries(folder, "media", texts: ["caption"]) {
            var fields = ["type": text(meta($0)["type"])]
            for name in ["cdnUrl", "url", "cdnUrlThumb", "urlThumb"] { fields[name] = fileName($0[name]) }
            for name in ["width", "height"] { fields[name] = (meta($0)[name] as? NSNumber)?.stringValue ?? "" }
            return fields
        }
        return catalogue
    }

    private static func entries(
        _ folder: URL,
        _ collection: String,
        texts: [String],
        more: ([String: Any]) -> [String: String]
    ) throws -> [Manifest.Entry] {
        let folder = folder.appending(path: collection)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
            let members = try object(folder.appending(path: name))
            var fields = more(members)
            for name in texts { fields[name] = text(members[name]) }
            if collection != "media" {
                fields["media"] = references(members["media"])
                fields["published"] = flag(meta(members)["published"])
                fields["publishedDate"] = date(meta(members)["publishedDate"])
            }
            if collection == "volumes" || collection == "articles" {
                fields["keywords"] = (members["keywords"] as? [String] ?? []).joined(separator: ",")
            }
            if collection != "volumes" {
                fields["updated"] = date((meta(members)["updated"] as? [String: Any])?["date"])
            }
            fields["customMeta"] = try customMeta(members["customMeta"])
            return Manifest.Entry(id: text(members["id"]), fields: fields.mapValues(Manifest.abridged))
        }
    }

    /// The digest of each collection whole, so that what no model knows is compared too.
    private static func collections(of folder: URL) throws -> [String: String] {
        var sums: [String: String] = [:]
        for name in ["volumes", "issues", "articles"] { sums[name] = try sum(elements(folder.appending(path: name))) }
        let staging = folder.appending(path: "staging")
        for name in ["issues", "articles"] {
            sums[name + "/preview"] = try sum(elements(staging.appending(path: name)))
        }
        for (path, name) in [("volumes", "volumes"), ("galleys", "articles"), ("media", "media")] {
            for element in try elements(staging.appending(path: path)) {
                sums["staging/\(name)/\(text(element["id"]))"] = try sum([element])
            }
        }
        for element in try elements(folder.appending(path: "media")) {
            sums["media/\(text(element["id"]))"] = try sum([element])
        }
        return sums
    }

    /// The elements of a collection, in the order of their ids.
    private static func elements(_ folder: URL) throws -> [[String: Any]] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .map { try object(folder.appending(path: $0)) }
            .sorted { text($0["id"]) < text($1["id"]) }
    }

    private static func sum(_ elements: [[String: Any]]) throws -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        return SHA256.hex(of: try JSONSerialization.data(withJSONObject: elements, options: options))
    }

    private static func object(_ file: URL) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
    }

    private static func meta(_ members: [String: Any]) -> [String: Any] {
        members["meta"] as? [String: Any] ?? [:]
    }

    private static func text(_ value: Any?) -> String { value as? String ?? "" }

    private static func flag(_ value: Any?) -> String {
        (value as? NSNumber)?.boolValue ?? false ? "true" : "false"
    }

    private static func references(_ value: Any?) -> String {
        (value as? [[String: Any]] ?? []).map { text($0["id"]) }.joined(separator: ",")
    }

    private static func fileName(_ value: Any?) -> String {
        text(value).split(separator: "/").last.map(String.init) ?? ""
    }

    private static func customMeta(_ value: Any?) throws -> String {
        guard let members = value as? [String: Any] else { return text(value) }
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try JSONSerialization.data(withJSONObject: members, options: options), as: UTF8.self)
    }

    /// Microseconds since 1970, by way of the system's own parser for the seconds.
    private static func date(_ value: Any?) -> String {
        let written = text(value)
        guard !written.isEmpty else { return "" }
        let fraction = written.split(separator: ".").dropFirst().first?.prefix { $0.isNumber } ?? ""
        let whole = fraction.isEmpty ? written : written.replacingOccurrences(of: "." + fraction, with: "")
        guard let date = ISO8601DateFormatter().date(from: whole) else { return "no date: " + written }
        let micros = Int((fraction + "000000").prefix(6)) ?? 0
        return String(Int(date.timeIntervalSince1970) * 1_000_000 + micros)
    }
}
