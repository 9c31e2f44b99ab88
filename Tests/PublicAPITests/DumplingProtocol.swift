import Foundation
import Testing

/// What the publisher's protocol says of the old client: a text beside the repository.
nonisolated struct DumplingProtocol {
    private static let environment = ProcessInfo.processInfo.environment
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    private static let shared = environment["MASTHEAD_SHARED"] ?? root.appending(path: "../shared").path()
    private static let file = URL(filePath: shared).appending(path: "protocols/magnet.md").standardizedFileURL

    /// Whether the tests that need it run: with `CI=true` they do, and fail without it.
    static let isWanted = environment["CI"] == "true" || FileManager.default.fileExists(atPath: file.path())

    static let hint: Testing.Comment = "protocols/magnet.md is neither in the folder MASTHEAD_SHARED nor in ../shared"

    /// The classes that have a successor today.
    private static let classes = [
        "VolumeHandler", "IssueHandler", "ArticleHandler", "Volume", "Issue", "Article", "Asset",
    ]

    /// Words of the wire, which stand in the tables' last columns too and name no property.
    private static let wireWords: Set<String> = [
        "articles", "audio", "created", "image", "meta", "sound", "updateDate", "updated", "urlThumb", "video",
    ]

    private let text: String

    init() throws {
        text = try String(contentsOf: Self.file, encoding: .utf8)
    }

    /// The names in the table of section 7, each with its class.
    var methods: Set<String> {
        var owner = ""
        var names: Set<String> = []
        var initialisers: [String] = []
        for line in section("## 7.") where line.hasPrefix("| ") {
            let cells = line.dropFirst(1).split(separator: "|", omittingEmptySubsequences: false)
            guard cells.count >= 2 else { continue }
            let named = cells[0].trimmingCharacters(in: .whitespaces)
            if !named.isEmpty { owner = named }
            guard Self.classes.contains(owner) else { continue }
            let found = Self.names(in: cells[1])
            if initialisers.count < 3 { initialisers += found.filter { $0.hasPrefix("init") } }
            names.formUnion(found.map { "\(owner).\($0)" })
            if cells[1].contains("three initialisers") { names.formUnion(initialisers.map { "\(owner).\($0)" }) }
        }
        return names
    }

    /// The names of a cell; what is left out of a second form with `…` is put in.
    private static func names(in cell: Substring) -> [String] {
        var names: [String] = []
        for span in cell.matches(of: /`([^`]+)`/) {
            var name = String(span.output.1)
            if let result = name.firstRange(of: " → ") { name = String(name[..<result.lowerBound]) }
            if name.hasPrefix("…("), let last = names.last, let parameters = last.firstIndex(of: "(") {
                let before = last[last.index(after: parameters)...].dropLast()
                name = last[..<parameters] + String(name.dropFirst()).replacing("(…", with: "(\(before)")
            }
            names.append(name)
        }
        return names
    }

    /// The names that a later branch has added, by section 7, without their parameters.
    var additions: Set<String> {
        var owner = ""
        var names: Set<String> = []
        for match in paragraph("Added in [NUKE]").matches(of: /`(?:(\w+)\.)?(\w+)\(/) {
            if let named = match.output.1 { owner = String(named) }
            names.insert("\(owner).\(match.output.2)")
        }
        return names
    }

    /// The properties that section 7 names.
    var laterProperties: Set<String> {
        Set(paragraph("Model properties").matches(of: /`(\w+\.\w+)`/).map { String($0.output.1) })
    }

    /// The names in the columns that say how a field is stored.
    var stored: Set<String> {
        var names: Set<String> = []
        for title in ["### 1.5", "### 1.6", "### 1.7", "### 1.8"] {
            for line in section(title) where line.hasPrefix("| `") {
                guard let cell = line.dropLast(2).split(separator: " | ").last else { continue }
                names.formUnion(cell.matches(of: /`(\w+)`/).map { String($0.output.1) })
            }
        }
        return names.subtracting(Self.wireWords)
    }

    /// Every word that stands in the text as code.
    var words: Set<String> {
        Set(text.matches(of: /`(?:\w+\.)?(\w+)`/).map { String($0.output.1) })
    }

    private func section(_ title: String) -> [Substring] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return Array(lines.drop { !$0.hasPrefix(title) }.dropFirst().prefix { !$0.hasPrefix("##") })
    }

    private func paragraph(_ beginning: String) -> String {
        let lines = section("## 7.").drop { !$0.hasPrefix(beginning) }
        return lines.prefix { !$0.isEmpty }.joined(separator: " ")
    }
}
