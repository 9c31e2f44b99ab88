import MastheadSQLite
import Testing

@Suite("Reading", .timeLimit(.minutes(1)))
struct ReadingTests {
    private let folder: TestFolder
    private let database: Database

    init() throws {
        folder = try TestFolder()
        database = Database(path: folder.path(), schema: notes)
    }

    @Test("makes the file at the first read")
    func preparesFile() async throws {
        #expect(try database.readNow { _ in true } == nil)
        #expect(try await database.texts.isEmpty)
        #expect(try database.readNow { _ in true } == true)
    }

    @Test("reads one snapshot while others write")
    func readsSnapshot() async throws {
        try await database.insert("one")
        let (isReading, isWritten) = (Signal(), Signal())
        let database = database
        let counts = Task {
            try await database.read { connection throws(DatabaseError) in
                let first: Int? = try connection.value("SELECT count(*) FROM note")
                isReading.fire()
                isWritten.block()
                return (first, try connection.value("SELECT count(*) FROM note", as: Int.self))
            }
        }
        await isReading.wait()
        try await database.insert("two")
        isWritten.fire()
        #expect(try await counts.value == (1, 1))
        #expect(try await database.texts.count == 2)
    }

    @Test("cannot write")
    func refusesWriting() async throws {
        try await database.prepare()
        await #expect(throws: DatabaseError.readOnly) {
            try await database.read { connection throws(DatabaseError) in
                try connection.run("INSERT INTO note (text) VALUES ('no')")
            }
        }
    }

    @Test("stops when its task is cancelled, and reads again on the same connection")
    func stopsCancelled() async throws {
        var options = DatabaseOptions()
        options.readerLimit = 1
        let database = Database(path: folder.path(), schema: notes, options: options)
        let isRunning = Signal()
        let read = Task {
            try await database.read { connection throws(DatabaseError) in
                isRunning.fire()
                return try connection.value(endless, as: Int.self)
            }
        }
        await isRunning.wait()
        let waiting = Task { try await database.texts }
        waiting.cancel()
        // It waits for the only connection, and is gone before that is free.
        await #expect(throws: DatabaseError.cancelled) { try await waiting.value }
        #expect(try database.readNow { _ in true } == nil, "the only connection is taken")
        read.cancel()
        await #expect(throws: DatabaseError.cancelled) { try await read.value }
        #expect(try await database.texts.isEmpty)
    }

    @Test("runs many readers beside a writer")
    func readsBesideWriter() async throws {
        let database = database
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<50 { try await database.insert("\(number)") }
            }
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<50 {
                        let texts = try await database.texts
                        #expect(texts == (0..<texts.count).map(String.init))
                        _ = try database.readNow { connection throws(DatabaseError) in
                            try connection.value("SELECT count(*) FROM note", as: Int.self)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await database.texts.count == 50)
    }
}
