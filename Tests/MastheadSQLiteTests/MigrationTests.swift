import FoundationEssentials
import MastheadSQLite
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

@Suite("Migrations", .timeLimit(.minutes(1)))
struct MigrationTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func schema(_ steps: [Migration]) -> Schema {
        Schema(applicationID: notes.applicationID, migrations: notes.migrations + steps)
    }

    /// Leaves a file of version 1 with one note, closed.
    private func makeOld() async throws {
        let database = Database(path: folder.path(), schema: notes)
        try await database.insert("old")
        await database.close()
    }

    @Test("takes only the steps that are due")
    func migrates() async throws {
        try await makeOld()
        let newer = schema([
            Migration(to: 2, "ALTER TABLE note ADD COLUMN stars INTEGER NOT NULL DEFAULT 3"),
            Migration(to: 5, "UPDATE note SET stars = stars + 1"),
        ])
        for _ in 0..<2 {
            let database = Database(path: folder.path(), schema: newer)
            let found = try await database.read { connection throws(DatabaseError) in
                (
                    try connection.value("SELECT stars FROM note", as: Int.self),
                    try connection.value("PRAGMA user_version", as: Int.self)
                )
            }
            #expect(found == (4, 5))
            await database.close()
        }
    }

    @Test("leaves the old file as it was if a step fails")
    func undoesFailedStep() async throws {
        try await makeOld()
        let before = folder.content()
        let failing = schema([
            Migration(to: 2, "ALTER TABLE note ADD COLUMN stars INTEGER; DELETE FROM note"),
            Migration(to: 3, "CREATE TABLE note (id)"),
        ])
        let database = Database(path: folder.path(), schema: failing)
        await #expect(throws: DatabaseError.self) { try await database.texts }
        await #expect(throws: DatabaseError.self) { try await database.insert("new") }
        await database.close()
        #expect(folder.content() == before)
        #expect(try await Database(path: folder.path(), schema: notes).texts == ["old"])
    }

    @Test("leaves the old file as it was if the process dies in the middle")
    func survivesDeath() async throws {
        try await makeOld()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path() as String] in
            let dying = Schema(
                applicationID: notes.applicationID,
                migrations: notes.migrations + [
                    Migration(to: 2) { connection throws(DatabaseError) in
                        try connection.execute(
                            """
                            PRAGMA cache_size=1; DELETE FROM note; CREATE TABLE filler (body);
                            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
                            INSERT INTO filler SELECT randomblob(10000) FROM n
                            """
                        )
                        kill(getpid(), SIGKILL)
                    }
                ]
            )
            try await Database(path: path, schema: dying).prepare()
        }
        let database = Database(path: folder.path(), schema: notes)
        #expect(try await database.texts == ["old"])
        let hasFiller = try await database.read { connection throws(DatabaseError) in
            try connection.value("SELECT count(*) FROM sqlite_schema WHERE name = 'filler'", as: Int.self)
        }
        #expect(hasFiller == 0)
    }

    @Test("leaves the old file as it was if there is no room")
    func survivesFullDisk() async throws {
        try await makeOld()
        let before = folder.content()
        let big = schema([
            Migration(to: 2) { connection throws(DatabaseError) in
                try connection.execute(
                    """
                    PRAGMA max_page_count=20; DELETE FROM note; CREATE TABLE filler (body);
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
                    INSERT INTO filler SELECT randomblob(10000) FROM n
                    """
                )
            }
        ])
        let database = Database(path: folder.path(), schema: big)
        await #expect(throws: DatabaseError.full) { try await database.prepare() }
        await database.close()
        #expect(folder.content() == before)
    }

    @Test("does not touch a file of a newer version")
    func refusesNewer() async throws {
        let database = Database(path: folder.path(), schema: schema([Migration(to: 7, "CREATE TABLE more (id)")]))
        try await database.insert("new")
        await database.close()
        let before = folder.content()
        let old = Database(path: folder.path(), schema: notes)
        await #expect(throws: DatabaseError.newer(version: 7)) { try await old.insert("old") }
        await #expect(throws: DatabaseError.newer(version: 7)) { try await old.texts }
        #expect(throws: DatabaseError.newer(version: 7)) { try old.readNow { _ in } }
        await old.close()
        #expect(folder.content() == before)
        #expect(folder.names == ["test.db"])
    }

    @Test("does not touch another program's file")
    func refusesForeign() async throws {
        for applicationID: Int32 in [0, 77] {
            let name = "foreign-\(applicationID).db"
            let foreign = Database(
                path: folder.path(name),
                schema: Schema(applicationID: applicationID, migrations: [Migration(to: 1, "CREATE TABLE theirs (id)")])
            )
            try await foreign.prepare()
            await foreign.close()
            let before = folder.content(name)
            let database = Database(path: folder.path(name), schema: notes)
            let error = await #expect(throws: DatabaseError.self) { try await database.texts }
            #expect(error == .cannotOpen(reason: "the file is another program's: application_id \(applicationID)"))
            await database.close()
            #expect(folder.content(name) == before)
        }
    }

    @Test("refuses a step that breaks a foreign key, but lets it rebuild a table")
    func checksForeignKeys() async throws {
        let base = Migration(
            to: 2,
            "CREATE TABLE tag (note INTEGER REFERENCES note (id)); INSERT INTO tag SELECT id FROM note"
        )
        try await makeOld()
        let first = Database(path: folder.path(), schema: schema([base]))
        try await first.prepare()
        await first.close()
        let breaking = Database(path: folder.path(), schema: schema([base, Migration(to: 3, "DELETE FROM note")]))
        await #expect(throws: DatabaseError.constraint(.foreignKey)) { try await breaking.prepare() }
        await breaking.close()
        let rebuilding = schema([
            base,
            Migration(
                to: 3,
                """
                CREATE TABLE note2 (id INTEGER PRIMARY KEY, text TEXT NOT NULL); INSERT INTO note2 SELECT id, text FROM note;
                DROP TABLE note; ALTER TABLE note2 RENAME TO note
                """
            ),
        ])
        let database = Database(path: folder.path(), schema: rebuilding)
        #expect(try await database.texts == ["old"])
        // And they are enforced again.
        await #expect(throws: DatabaseError.constraint(.foreignKey)) {
            try await database.write { connection throws(DatabaseError) in try connection.run("DELETE FROM note") }
        }
    }

    @Test("takes each step once, however many come at the same time")
    func migratesOnce() async throws {
        try await makeOld()
        let counting = schema([
            Migration(to: 2, "CREATE TABLE taken (id INTEGER PRIMARY KEY); INSERT INTO taken DEFAULT VALUES")
        ])
        let path = folder.path()
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await Database(path: path, schema: counting).read { connection throws(DatabaseError) in
                        try connection.value("SELECT count(*) FROM taken")
                    }
                }
            }
            for try await count in group { #expect(count == 1) }
        }
    }

    @Test("refuses steps that are out of order")
    func refusesDisorder() async throws {
        let step = Migration(to: 2, "CREATE TABLE IF NOT EXISTS t (id)")
        let disordered = Schema(applicationID: 1, migrations: [step, step])
        await #expect(throws: DatabaseError.self) {
            try await Database(path: folder.path(), schema: disordered).prepare()
        }
    }
}
