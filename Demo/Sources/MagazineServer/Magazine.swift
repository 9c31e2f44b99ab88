public import Foundation

/// A magazine as it lies in a folder: one JSON file for each element, in the wire format, and the media files.
public struct Magazine: Sendable {
    let volumes: [Item]
    let issues: [Item]
    let articles: [Item]
    let media: [Item]

    /// Articles which stand in no list: proofs that are asked for by id.
    let galleys: [Item]

    /// Volumes that were taken back: what the server says of each, by id and by SKU.
    let withdrawn: [String: String]

    /// The magazine's name.
    public let name: String

    /// Reads a magazine.
    ///
    /// - Parameters:
    ///   - folder: Where it lies.
    ///   - mediaURL: What stands for `{media}` in the addresses of media files.
    ///   - withProofs: Whether to lay the folder `staging` over it: drafts, galleys, newer versions.
    /// - Throws: A ``MagazineError`` that names the file.
    public init(folder: URL, mediaURL: String, withProofs: Bool) throws(MagazineError) {
        let layers = withProofs ? [folder, folder.appending(path: "staging")] : [folder]
        func items(_ collection: String) throws(MagazineError) -> [Item] {
            var items: [Item] = []
            for layer in layers {
                for item in try Self.read(layer.appending(path: collection), mediaURL) {
                    items.removeAll { $0.id == item.id }
                    items.append(item)
                }
            }
            return items
        }
        volumes = try items("volumes").sorted { $0.id < $1.id }
        issues = try items("issues").sorted { $0.id < $1.id }
        articles = try items("articles").sorted { $0.id < $1.id }
        media = try items("media").sorted { $0.id < $1.id }
        galleys = try items("galleys")
        if volumes.isEmpty { throw MagazineError(file: folder.path, reason: "holds no volume") }

        let about = try Self.about(folder.appending(path: "magazine.json"))
        name = about.name
        withdrawn = about.withdrawn.reduce(into: [:]) { table, volume in
            table[volume.id] = volume.detail
            table[volume.sku] = volume.detail
        }
    }

    private struct About: Decodable {
        struct Withdrawn: Decodable {
            let id: String
            let sku: String
            let detail: String
        }

        let name: String
        let withdrawn: [Withdrawn]
    }

    private static func about(_ file: URL) throws(MagazineError) -> About {
        guard let data = try? Data(contentsOf: file) else {
            throw MagazineError(file: file.path, reason: "cannot be read")
        }
        guard let about = try? JSONDecoder().decode(About.self, from: data) else {
            throw MagazineError(file: file.path, reason: "does not tell the name and what was withdrawn")
        }
        return about
    }

    private static func read(_ folder: URL, _ mediaURL: String) throws(MagazineError) -> [Item] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        var items: [Item] = []
        for name in names.sorted() where name.hasSuffix(".json") {
            let file = folder.appending(path: name)
            guard let data = try? Data(contentsOf: file), let text = String(data: data, encoding: .utf8) else {
                throw MagazineError(file: file.path, reason: "is no readable UTF-8")
            }
            let json = Data(text.replacingOccurrences(of: "{media}", with: mediaURL).utf8)
            items.append(try Item(json: json, file: file.path))
        }
        return items
    }
}
