/// What a reader of the demo's magazine must get, to the letter.
///
/// The press writes it from the publisher's files, and the demo carries it: the two share nothing else, so whatever
/// changes on the way from one to the other shows.
public struct Manifest: Sendable, Codable {
    /// One volume, issue, article or medium.
    public struct Entry: Sendable, Codable {
        public let id: String

        /// Each field as ``Manifest/abridged(_:)`` gives it, by name.
        public let fields: [String: String]

        public init(id: String, fields: [String: String]) {
            self.id = id
            self.fields = fields
        }
    }

    /// What one environment shows.
    public struct Catalogue: Sendable, Codable {
        public var volumes: [Entry] = []
        public var issues: [Entry] = []
        public var articles: [Entry] = []
        public var media: [Entry] = []

        public init() {}
    }

    /// A volume that was taken back.
    public struct Withdrawn: Sendable, Codable {
        public let id: String
        public let sku: String
        public let detail: String

        public init(id: String, sku: String, detail: String) {
            self.id = id
            self.sku = sku
            self.detail = detail
        }
    }

    public let name: String

    /// What readers see.
    public let production: Catalogue

    /// What the second environment shows besides, or otherwise.
    public let staging: Catalogue

    /// The volume that was taken back.
    public let withdrawn: Withdrawn

    /// The id of the article that is off its schema.
    public let galley: String

    /// The digest of what the server has at a path, as JSON with sorted keys.
    public let collections: [String: String]

    /// The digest of each media file, by name.
    public let files: [String: String]

    public init(
        name: String,
        production: Catalogue,
        staging: Catalogue,
        withdrawn: Withdrawn,
        galley: String,
        collections: [String: String],
        files: [String: String]
    ) {
        self.name = name
        self.production = production
        self.staging = staging
        self.withdrawn = withdrawn
        self.galley = galley
        self.collections = collections
        self.files = files
    }

    /// A text as the manifest keeps it: itself if it is short, otherwise its digest.
    public static func abridged(_ text: String) -> String {
        text.utf8.count <= 48 ? text : "sha256:" + SHA256.hex(of: text.utf8)
    }

    /// What differs between what was expected and what came, one line each.
    public static func differences(_ kind: String, expected: [Entry], actual: [Entry]) -> [String] {
        var problems: [String] = []
        let found = Dictionary(actual.map { ($0.id, $0.fields) }) { first, _ in first }
        for entry in expected {
            guard let fields = found[entry.id] else {
                problems.append("\(kind) \(entry.id) is missing")
                continue
            }
            for name in Set(entry.fields.keys).union(fields.keys).sorted() where entry.fields[name] != fields[name] {
                let pair = "expected \(quoted(entry.fields[name])), got \(quoted(fields[name]))"
                problems.append("\(kind) \(entry.id): \(name): \(pair)")
            }
        }
        for entry in actual where !expected.contains(where: { $0.id == entry.id }) {
            problems.append("\(kind) \(entry.id) is not in the manifest")
        }
        return problems
    }

    private static func quoted(_ text: String?) -> String {
        text.map { "“\($0)”" } ?? "nothing"
    }
}
