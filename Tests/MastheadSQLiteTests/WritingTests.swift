import MastheadLock
import MastheadSQLite
import Testing

@Suite("Writing", .timeLimit(.minutes(1)))
struct WritingTests {
    private let folder: TestFolder
    private let database: Database

    init() throws {
        folder = try TestFolder()
        database = Database(path: folder.path(), schema: notes)
    }

    /// Holds the writer in a job until `open` is fired.
    private func hold(until open: Signal) async throws {
        let isHeld = Signal()
        try database.enqueue { _ in
            isHeld.fire()
            open.block()
        }
        await isHeld.wait()
    }

    @Test("has committed when a write returns")
    func writes() async throws {
        try await database.insert("one")
        let other = Database(path: folder.path(), schema: notes)
        #expect(try await other.texts == ["one"])
    }

    @Test("commits what queued up together")
    func groups() async throws {
        let open = Signal()
        try await hold(until: open)
        for number in 0..<100 {
            try database.enqueue { connection throws(DatabaseError) in
                try connection.run("INSERT INTO note (text) VALUES (?)", "\(number)")
            }
        }
        open.fire()
        try await database.flush()
        #expect(try await database.texts == (0..<100).map(String.init))
        #expect(database.counts.commits == 2)
        #expect(database.counts.jobs == 101)
        #expect(database.counts.rollbacks == 0)
    }

    @Test("lets a job fail alone, and does the others in order")
    func failsAlone() async throws {
        let open = Signal()
        let runs = Lock<[String]>([])
        try await hold(until: open)
        for text in ["a", "b", "a", "c", "c", "d"] {
            try database.enqueue { connection throws(DatabaseError) in
                runs.withLock { $0.append(text) }
                try connection.run("INSERT INTO note (text) VALUES (?)", text)
            }
        }
        open.fire()
        await #expect(throws: DatabaseError.constraint(.unique)) { try await database.flush() }
        #expect(try await database.texts == ["a", "b", "c", "d"])
        #expect(runs.withLock { $0.count } > 6, "those in a group that failed run again")
        try await database.flush()
    }

    @Test("gives a failing job's error to the one who waits for it, and its own result to each other")
    func deliversEach() async throws {
        let open = Signal()
        try await hold(until: open)
        let database = database
        let writes = (0..<6).map { number in
            Task {
                try await database.write { connection throws(DatabaseError) in
                    try connection.run("INSERT INTO note (text) VALUES (?)", number == 3 ? nil : "\(number)")
                    return number
                }
            }
        }
        open.fire()
        for (number, write) in writes.enumerated() {
            if number == 3 {
                await #expect(throws: DatabaseError.constraint(.notNull)) { try await write.value }
            } else {
                #expect(try await write.value == number)
            }
        }
    }

    @Test("tells what came of a job that nobody waits for")
    func tellsOutcome() async throws {
        let (told, listener) = AsyncStream.makeStream(of: Result<Int, DatabaseError>.self)
        let insert: @Sendable (String) -> Void = { [database] text in
            database.enqueue { connection throws(DatabaseError) in
                try connection.run("INSERT INTO note (text) VALUES (?)", text)
                return connection.changeCount
            } whenDone: {
                listener.yield($0)
            }
        }
        var results = told.makeAsyncIterator()
        for text in ["one", "one", "two"] { insert(text) }
        #expect(await results.next() == .success(1))
        #expect(await results.next() == .failure(.constraint(.unique)))
        #expect(await results.next() == .success(1))
        try await database.flush()
        await database.close()
        insert("three")
        #expect(await results.next() == .failure(.closed))
    }

    @Test("drops a job whose task is cancelled before it begins")
    func dropsCancelled() async throws {
        let open = Signal()
        try await hold(until: open)
        let database = database
        let write = Task { try await database.insert("never") }
        write.cancel()
        // The writer still stands: nobody had to come to the job.
        await #expect(throws: DatabaseError.cancelled) { try await write.value }
        open.fire()
        try await database.flush()
        #expect(try await database.texts.isEmpty)
    }

    @Test("stops a job whose task is cancelled while it runs, and it alone")
    func stopsCancelled() async throws {
        let open = Signal()
        let isRunning = Signal()
        try await hold(until: open)
        let database = database
        try database.enqueue { connection throws(DatabaseError) in
            try connection.run("INSERT INTO note (text) VALUES ('before')")
        }
        let added = Signal()
        let write = Task {
            added.fire()
            try await database.write { connection throws(DatabaseError) in
                try connection.run("INSERT INTO note (text) VALUES ('undone')")
                isRunning.fire()
                try connection.run(endless)
            }
        }
        await added.wait()
        open.fire()
        await isRunning.wait()
        try database.enqueue { connection throws(DatabaseError) in
            try connection.run("INSERT INTO note (text) VALUES ('after')")
        }
        write.cancel()
        await #expect(throws: DatabaseError.cancelled) { try await write.value }
        try await database.flush()
        #expect(try await database.texts == ["before", "after"])
    }

    @Test("undoes a job that goes on after it was stopped")
    func undoesStubbornJob() async throws {
        let isRunning = Signal()
        let database = database
        let write = Task {
            try await database.write { connection throws(DatabaseError) in
                try connection.run("INSERT INTO note (text) VALUES ('undone')")
                isRunning.fire()
                // The interrupted insertion rolls the whole transaction back.
                try? connection.run(
                    "INSERT INTO note (text) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
                )
                try? connection.run("INSERT INTO note (text) VALUES ('alone')")
            }
        }
        await isRunning.wait()
        write.cancel()
        await #expect(throws: DatabaseError.cancelled) { try await write.value }
        #expect(try await database.texts.isEmpty)
    }

    @Test("undoes a part and goes on")
    func savepoints() async throws {
        try await database.write { connection throws(DatabaseError) in
            try connection.run("INSERT INTO note (text) VALUES ('kept')")
            do throws(DatabaseError) {
                try connection.savepoint { () throws(DatabaseError) in
                    try connection.run("INSERT INTO note (text) VALUES ('undone')")
                    try connection.run("INSERT INTO note (text) VALUES ('kept')")
                }
            } catch .constraint(.unique) {}
            try connection.run("INSERT INTO note (text) VALUES ('also kept')")
        }
        #expect(try await database.texts == ["kept", "also kept"])
    }

    @Test("refuses a job that ends its transaction")
    func refusesCommit() async throws {
        await #expect(throws: DatabaseError.failed(code: 21, message: "a job ended its transaction")) {
            try await database.write { connection throws(DatabaseError) in try connection.run("COMMIT") }
        }
        try await database.insert("next")
        #expect(try await database.texts == ["next"])
    }

    @Test("takes no more jobs than may wait")
    func boundsLine() async throws {
        var options = DatabaseOptions()
        options.queueLimit = 3
        let database = Database(path: folder.path("bounded.db"), schema: notes, options: options)
        let (open, isHeld) = (Signal(), Signal())
        try database.enqueue { _ in
            isHeld.fire()
            open.block()
        }
        await isHeld.wait()
        for _ in 0..<3 { try database.enqueue { _ in } }
        #expect(throws: DatabaseError.busy) { try database.enqueue { _ in } }
        open.fire()
    }
}
