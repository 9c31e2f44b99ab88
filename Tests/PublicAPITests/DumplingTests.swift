import Foundation
import Testing

/// The article "Coming from Dumpling" has a row for each name of the old client, and what its rows say to write stands
/// in files that are compiled against the public API, under the same names: none can change without the others.
@Suite("Coming from Dumpling")
nonisolated struct DumplingTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL
    private static let everything = DumplingNames.methods.union(DumplingNames.additions).union(DumplingNames.properties)

    @Test("the article has a row for each old name, and for no other")
    func rowsAreComplete() throws {
        let rows = try Self.rows()
        #expect(Set(rows.keys) == Self.everything, "\(Set(rows.keys).symmetricDifference(Self.everything).sorted())")
    }

    @Test("what a row says to write is compiled, word for word, under the same old name")
    func rowsAreCompiled() throws {
        let (rows, compiled) = (try Self.rows(), try Self.compiled())
        let written = rows.compactMapValues(\.code)
        #expect(compiled.count > 150)
        for (name, code) in written { #expect(compiled[name] == code, "\(name)") }
        #expect(Set(compiled.keys).subtracting(written.keys).sorted() == [])
    }

    @Test("where there is nothing to write, the row says why")
    func rowsWithoutCode() throws {
        let rows = try Self.rows().filter { $0.value.code == nil }
        #expect(Set(rows.keys) == DumplingNames.withoutCode)
        for (name, row) in rows {
            let isReason = row.text.hasPrefix("gone: ") || row.text.hasPrefix("not yet: ")
            #expect(isReason, "\(name): \(row.text)")
        }
    }

    @Test(
        "the old names are those of the protocol's section 7",
        .enabled(if: DumplingProtocol.isWanted, DumplingProtocol.hint)
    )
    func methodsAreThose() throws {
        let named = try DumplingProtocol().methods
        #expect(named == DumplingNames.methods, "\(named.symmetricDifference(DumplingNames.methods).sorted())")
    }

    @Test(
        "the names that were added later are those of its section 7 too",
        .enabled(if: DumplingProtocol.isWanted, DumplingProtocol.hint)
    )
    func additionsAreThose() throws {
        let named = try DumplingProtocol().additions
        #expect(named == Set(DumplingNames.additions.map { String($0.prefix { $0 != "(" }) }))
    }

    @Test(
        "the properties are those that the protocol names",
        .enabled(if: DumplingProtocol.isWanted, DumplingProtocol.hint)
    )
    func propertiesAreThose() throws {
        let text = try DumplingProtocol()
        let names = Set(DumplingNames.properties.compactMap { $0.split(separator: ".").last.map(String.init) })
        #expect(text.stored.subtracting(names).sorted() == [])
        #expect(text.laterProperties.subtracting(DumplingNames.properties).sorted() == [])
        #expect(names.subtracting(text.words).sorted() == [])
    }

    // MARK: Reading

    private struct Row {
        let code: String?
        let text: String
    }

    /// The rows of the article, by old name.
    private static func rows() throws -> [String: Row] {
        let article = root.appending(path: "Sources/MastheadPublishing/MastheadPublishing.docc/ComingFromDumpling.md")
        var owner = ""
        var rows: [String: Row] = [:]
        for line in try String(contentsOf: article, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("### ") { owner = String(line.dropFirst(4)) }
            guard line.hasPrefix("| `") else { continue }
            let cells = line.dropFirst(2).split(separator: " | ", omittingEmptySubsequences: false)
            let text = String(try #require(cells.dropFirst().first))
            let code = text.wholeMatch(of: /`([^`]+)`/).map { String($0.output.1) }
            for old in try #require(cells.first).matches(of: /`([^`]+)`/) {
                let name = "\(owner).\(old.output.1)"
                #expect(rows[name] == nil, "\(name) has two rows")
                rows[name] = Row(code: code, text: text)
            }
        }
        return rows
    }

    /// What stands after "// old: " and a name in the files of Snippets, up to an empty line, in one line.
    private static func compiled() throws -> [String: String] {
        let folder = root.appending(path: "Tests/PublicAPITests/Snippets")
        var entries: [String: String] = [:]
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            let text = try String(contentsOf: file, encoding: .utf8)
            for match in text.matches(of: /(?m)((?:^ *\/\/ old: .*\n)+)((?:^ +\S.*\n)+)/) {
                let lines = match.output.2.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                var code = lines.joined(separator: " ")
                // The compiler wants to know that nobody wants the value.
                if code.hasPrefix("_ = ") { code.removeFirst(4) }
                for line in match.output.1.split(separator: "\n") {
                    let name = line.trimmingCharacters(in: .whitespaces).dropFirst("// old: ".count)
                    #expect(entries[String(name)] == nil, "\(name) is compiled twice")
                    entries[String(name)] = code
                }
            }
        }
        return entries
    }
}
