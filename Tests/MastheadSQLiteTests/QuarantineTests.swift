import FoundationEssentials
import MastheadSQLite
import Testing

@Suite("Quarantine", .timeLimit(.minutes(1)))
struct QuarantineTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    /// Puts a file that is no database in place, known by its text.
    private func spoil(_ text: String) throws {
        let content = Data(String(repeating: text + " is no database. ", count: 100).utf8)
        try content.write(to: URL(filePath: folder.path()))
    }

    private func expectDamage(_ database: Database) async {
        await #expect(throws: DatabaseError.damaged(reason: "file is not a database [26]")) { try await database.texts }
    }

    @Test("moves a damaged file aside and goes on with a fresh one")
    func movesAside() async throws {
        try spoil("one")
        let before = folder.content()
        try Data("log".utf8).write(to: URL(filePath: folder.path("test.db-wal")))
        let database = Database(path: folder.path(), schema: notes)
        await expectDamage(database)
        let moved = try await database.quarantine()
        #expect(moved == Quarantine(path: folder.path("test.db.damaged-1"), removed: []))
        #expect(folder.content("test.db.damaged-1") == before)
        #expect(folder.content("test.db.damaged-1-wal") == Data("log".utf8))
        #expect(try await database.texts.isEmpty)
        try await database.insert("new")
        #expect(try await Database(path: folder.path(), schema: notes).texts == ["new"])
    }

    @Test("moves nothing that was not seen to be damaged")
    func refusesOthers() async throws {
        let database = Database(path: folder.path(), schema: notes)
        try await database.insert("precious")
        await #expect(throws: DatabaseError.constraint(.unique)) { try await database.insert("precious") }
        await #expect(throws: DatabaseError.self) { try await database.quarantine() }
        #expect(try await database.texts == ["precious"])
        await database.close()

        let newer = Schema(applicationID: notes.applicationID, migrations: [Migration(to: 9, "SELECT 1")])
        let file = Database(path: folder.path("newer.db"), schema: newer)
        try await file.prepare()
        await file.close()
        let old = Database(path: folder.path("newer.db"), schema: notes)
        await #expect(throws: DatabaseError.newer(version: 9)) { try await old.texts }
        await #expect(throws: DatabaseError.self) { try await old.quarantine() }
        #expect(folder.names == ["newer.db", "test.db"])
    }

    @Test("keeps the first and the last ones")
    func bounds() async throws {
        for number in 1...5 {
            try spoil("file \(number)")
            let database = Database(path: folder.path(), schema: notes)
            await expectDamage(database)
            let moved = try #require(try await database.quarantine(keeping: 3))
            #expect(moved.path == folder.path("test.db.damaged-\(number)"))
            #expect(moved.removed == (number > 3 ? [folder.path("test.db.damaged-\(number - 2)")] : []))
            await database.close()
        }
        let kept = folder.names.filter { $0.contains("damaged") }
        #expect(kept == ["test.db.damaged-1", "test.db.damaged-4", "test.db.damaged-5"])
        #expect(folder.content("test.db.damaged-1")?.prefix(6) == Data("file 1".utf8))
    }

    @Test("does not move the fresh file that another has put in the damaged one's place")
    func sparesFreshFile() async throws {
        try spoil("one")
        let (first, second) = (
            Database(path: folder.path(), schema: notes), Database(path: folder.path(), schema: notes)
        )
        await expectDamage(first)
        await expectDamage(second)
        #expect(try await first.quarantine() != nil)
        try await first.insert("fresh")
        #expect(try await second.quarantine() == nil)
        #expect(try await second.texts == ["fresh"])
        #expect(folder.names.filter { $0.contains("damaged") } == ["test.db.damaged-1"])
    }

    @Test("moves a file whose damage was found while it was open")
    func movesOpenFile() async throws {
        let database = Database(path: folder.path(), schema: notes)
        try await database.write { connection throws(DatabaseError) in
            for number in 0..<200 {
                try connection.run("INSERT INTO note (text, body) VALUES (?, zeroblob(3000))", "\(number)")
            }
        }
        await database.close()
        var content = try #require(folder.content())
        content.replaceSubrange(4096 * 10..<4096 * 60, with: Data(repeating: 0xA5, count: 4096 * 50))
        try content.write(to: URL(filePath: folder.path()))
        let damaged = Database(path: folder.path(), schema: notes)
        #expect(try damaged.readNow { _ in true } == true)
        await #expect(throws: DatabaseError.self) { try await damaged.checkIntegrity() }
        let moved = try #require(try await damaged.quarantine())
        #expect(folder.content("test.db.damaged-1") == content)
        #expect(moved.path == folder.path("test.db.damaged-1"))
        #expect(try await damaged.texts.isEmpty)
    }
}
