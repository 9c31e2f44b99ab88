import MastheadSQLite
import Testing

@Suite("The write-ahead log", .timeLimit(.minutes(1)))
struct LogTests {
    private let folder: TestFolder
    private let database: Database

    init() throws {
        folder = try TestFolder()
        var options = DatabaseOptions()
        options.checkpointPages = 50
        options.journalBytes = 100_000
        database = Database(path: folder.path(), schema: notes, options: options)
    }

    private var logSize: Int { folder.content("test.db-wal")?.count ?? 0 }

    private func fill(_ count: Int) async throws {
        for _ in 0..<count {
            try await database.write { connection throws(DatabaseError) in
                try connection.run("INSERT OR REPLACE INTO note (id, text, body) VALUES (1, 'a', randomblob(40000))")
            }
        }
    }

    @Test("stays short while there are writes and short reads")
    func staysShort() async throws {
        for _ in 0..<60 {
            try await fill(1)
            _ = try await database.texts
        }
        // Each writes about 10 pages; all of them would be 2.4 MB.
        #expect(logSize < 600_000)
    }

    @Test("is moved into the file when a long reader ends, with no further write")
    func movesAfterReader() async throws {
        try await fill(1)
        let (isReading, mayEnd) = (Signal(), Signal())
        let database = database
        let read = Task {
            try await database.read { connection throws(DatabaseError) in
                let count = try connection.value("SELECT count(*) FROM note", as: Int.self)
                isReading.fire()
                mayEnd.block()
                return count
            }
        }
        await isReading.wait()
        try await fill(30)
        let held = database.counts
        #expect(held.logPages > 200, "a reader keeps the log from being moved")
        #expect(held.isLogHeld)
        mayEnd.fire()
        #expect(try await read.value == 1)
        // Due before it, hence done when this is.
        try await database.flush()
        #expect(!database.counts.isLogHeld)
        try await fill(1)
        // The log begins anew, and is cut.
        #expect(logSize <= 140_000)
    }
}
