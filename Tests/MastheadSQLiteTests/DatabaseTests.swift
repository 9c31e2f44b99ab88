import FoundationEssentials
import MastheadSQLite
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

@Suite("Failures and closing", .timeLimit(.minutes(1)))
struct DatabaseTests {
    private let folder: TestFolder
    private let database: Database

    init() throws {
        folder = try TestFolder()
        database = Database(path: folder.path(), schema: notes)
    }

    private func mode(_ name: String) -> mode_t {
        var status = stat()
        return stat(folder.path(name), &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test("opens nothing before it is needed, and makes files that only their owner can read")
    func makesPrivateFiles() async throws {
        #expect(folder.names.isEmpty)
        try await database.insert("one")
        #expect(folder.names == ["test.db", "test.db-shm", "test.db-wal"])
        for name in folder.names { #expect(mode(name) == 0o600) }
    }

    @Test("sets each connection up")
    func setsUp() async throws {
        var options = DatabaseOptions()
        options.pageSize = 8192
        options.cacheKiB = 512
        let database = Database(path: folder.path("set.db"), schema: notes, options: options)
        let settings: Database.Job<[String?]> = { connection throws(DatabaseError) in
            [
                try connection.value("PRAGMA journal_mode"), try connection.value("PRAGMA synchronous"),
                try connection.value("PRAGMA page_size"), try connection.value("PRAGMA cache_size"),
                try connection.value("PRAGMA foreign_keys"), try connection.value("PRAGMA trusted_schema"),
                try connection.value("PRAGMA cell_size_check"), try connection.value("PRAGMA query_only"),
            ]
        }
        #expect(try await database.write(settings) == ["wal", "1", "8192", "-512", "1", "0", "1", "0"])
        #expect(try await database.read(settings) == ["wal", "2", "8192", "-512", "1", "0", "1", "1"])
        await #expect(throws: DatabaseError.self) {
            try await database.write { connection throws(DatabaseError) in
                try connection.run("DELETE FROM sqlite_schema")
            }
        }
    }

    @Test("says full, and has changed nothing")
    func reportsFull() async throws {
        try await database.insert("before")
        await #expect(throws: DatabaseError.full) {
            try await database.write { connection throws(DatabaseError) in
                try connection.run("INSERT INTO note (text) VALUES ('undone')")
                try connection.run("PRAGMA max_page_count=8")
                // What a job catches does not save its transaction.
                try? connection.run("INSERT INTO note (text, body) VALUES ('big', zeroblob(1000000))")
                try? connection.run("INSERT INTO note (text) VALUES ('outside')")
            }
        }
        try await database.write { connection throws(DatabaseError) in
            try connection.run("PRAGMA max_page_count=1000000")
        }
        #expect(try await database.texts == ["before"])
    }

    @Test("says damaged of what is no database, and leaves it alone")
    func reportsNoDatabase() async throws {
        let content = Data(String(repeating: "This is no database. ", count: 100).utf8)
        try content.write(to: URL(filePath: folder.path()))
        await #expect(throws: DatabaseError.damaged(reason: "file is not a database [26]")) {
            try await database.insert("new")
        }
        await #expect(throws: DatabaseError.damaged(reason: "file is not a database [26]")) { try await database.texts }
        await database.close()
        #expect(folder.content() == content)
    }

    @Test("says damaged of pages that were overwritten")
    func reportsDamage() async throws {
        try await database.write { connection throws(DatabaseError) in
            for number in 0..<200 { try connection.run("INSERT INTO note (text) VALUES (?)", "note \(number)") }
        }
        await database.close()
        var content = try #require(folder.content())
        content.replaceSubrange(4096..., with: Data(repeating: 0xA5, count: content.count - 4096))
        try content.write(to: URL(filePath: folder.path()))
        let damaged = Database(path: folder.path(), schema: notes)
        for _ in 0..<2 {
            let error = await #expect(throws: DatabaseError.self) { try await damaged.texts }
            guard case .damaged = error else {
                Issue.record("expected damage, got \(String(describing: error))")
                return
            }
        }
    }

    @Test("says that it cannot open what is not there")
    func reportsMissingFolder() async throws {
        let lost = Database(path: folder.path("nowhere/test.db"), schema: notes)
        let error = await #expect(throws: DatabaseError.self) { try await lost.insert("new") }
        guard case .cannotOpen = error else {
            Issue.record("got \(String(describing: error))")
            return
        }
    }

    @Test("writes what was enqueued, leaves one file, and is closed")
    func closes() async throws {
        for number in 0..<10 {
            try database.enqueue { connection throws(DatabaseError) in
                try connection.run("INSERT INTO note (text) VALUES (?)", "\(number)")
            }
        }
        _ = try await database.texts
        await database.close()
        #expect(folder.names == ["test.db"])
        try await expectClosed()
        await database.close()
        #expect(try await Database(path: folder.path(), schema: notes).texts.count == 10)
    }

    @Test("removes itself, whatever was under way")
    func removes() async throws {
        try await database.insert("one")
        let (isWriting, isReading) = (Signal(), Signal())
        let database = database
        let write = Task {
            try await database.write { connection throws(DatabaseError) in
                isWriting.fire()
                try connection.run(endless)
            }
        }
        let read = Task {
            try await database.read { connection throws(DatabaseError) in
                isReading.fire()
                try connection.run(endless)
            }
        }
        await isWriting.wait()
        await isReading.wait()
        let waiting = Task { try await database.insert("never") }
        try await database.closeAndRemove()
        #expect(folder.names.isEmpty)
        await #expect(throws: DatabaseError.closed) { try await write.value }
        await #expect(throws: DatabaseError.closed) { try await read.value }
        await #expect(throws: DatabaseError.closed) { try await waiting.value }
        try await expectClosed()
        try await database.closeAndRemove()
    }

    private func expectClosed() async throws {
        #expect(throws: DatabaseError.closed) { try database.enqueue { _ in } }
        #expect(throws: DatabaseError.closed) { try database.readNow { _ in } }
        await #expect(throws: DatabaseError.closed) { try await database.write { _ in } }
        await #expect(throws: DatabaseError.closed) { try await database.read { _ in } }
        await #expect(throws: DatabaseError.closed) { try await database.flush() }
    }

    @Test("writes what was enqueued after nobody holds it any longer")
    func outlives() async throws {
        let isWritten = Signal()
        try Database(path: folder.path(), schema: notes).enqueue { connection throws(DatabaseError) in
            try connection.run("INSERT INTO note (text) VALUES ('left behind')")
            isWritten.fire()
        }
        await isWritten.wait()
        // The next writer waits for that transaction.
        try await database.insert("next")
        #expect(try await database.texts == ["left behind", "next"])
    }
}
