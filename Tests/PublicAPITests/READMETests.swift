import Foundation
import Testing

/// Every Swift snippet of the README and of the documentation's articles stands, word for word, in a file that is
/// compiled against the public API: one cannot change without the other.
@Suite("Documentation")
nonisolated struct READMETests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

    /// The README, and the articles of each module.
    static let documents = ["README.md"] + articles()

    @Test("every Swift snippet is compiled", arguments: documents)
    func snippetsAreCompiled(document: String) throws {
        let text = try String(contentsOf: Self.root.appending(path: document), encoding: .utf8)
        let compiled = try Self.compiledSnippets()

        for snippet in Self.snippets(of: text) {
            let isCompiled = compiled.contains(snippet)
            #expect(
                isCompiled,
                "\(document) has a snippet that no file of Snippets compiles:\n\(snippet)"
            )
        }
    }

    @Test("no snippet is compiled that no document shows")
    func snippetsAreShown() throws {
        let shown = try Set(
            Self.documents.flatMap {
                Self.snippets(of: try String(contentsOf: Self.root.appending(path: $0), encoding: .utf8))
            }
        )

        for snippet in try Self.compiledSnippets() {
            let isShown = shown.contains(snippet)
            #expect(isShown, "no document shows:\n\(snippet)")
        }
    }

    @Test("the README shows code within its first ten lines, and has at most 150")
    func readmeIsShort() throws {
        let lines = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)

        #expect(lines.prefix(10).contains("```swift"))
        #expect(lines.count <= 151)
    }

    /// What stands between "```swift" and "```", without imports, indentation and blank lines around it.
    private static func snippets(of text: String) -> [String] {
        text.matches(of: /(?ms)^ *```swift\n(.*?)^ *```$/).map { trimmed(String($0.output.1)) }
    }

    /// What stands between "// snippet" and "// end" in the files of Snippets.
    private static func compiledSnippets() throws -> Set<String> {
        let folder = root.appending(path: "Tests/PublicAPITests/Snippets")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let snippets = try files.flatMap { file in
            try String(contentsOf: file, encoding: .utf8)
                .matches(of: /(?ms)^ *\/\/ snippet\n(.*?)^ *\/\/ end$/)
                .map { trimmed(String($0.output.1)) }
        }
        return Set(snippets)
    }

    private static func trimmed(_ snippet: String) -> String {
        let lines = snippet.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.hasPrefix("import ") }
        let indentation =
            lines.filter { !$0.allSatisfy(\.isWhitespace) }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { $0.dropFirst(indentation) }
            .joined(separator: "\n")
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func articles() -> [String] {
        let sources = root.appending(path: "Sources")
        let files = FileManager.default.enumerator(atPath: sources.path())
        return (files?.compactMap { $0 as? String } ?? []).filter { $0.contains(".docc/") && $0.hasSuffix(".md") }
            .map { "Sources/\($0)" }
            .sorted()
    }
}
