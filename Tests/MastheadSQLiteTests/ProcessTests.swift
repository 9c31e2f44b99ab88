import MastheadSQLite
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

@Suite("Several processes", .timeLimit(.minutes(1)))
struct ProcessTests {
    private let folder: TestFolder
    private let database: Database

    init() throws {
        folder = try TestFolder()
        database = Database(path: folder.path(), schema: notes)
    }

    @Test("writes to one file from two processes that both make it")
    func sharesFile() async throws {
        let database = database
        async let child: Void = expectChild(path: folder.path())
        for number in 0..<100 {
            try await database.insert("parent \(number)")
            _ = try await database.texts
        }
        await child
        let texts = try await database.texts
        #expect(texts.filter { $0.hasPrefix("parent") } == (0..<100).map { "parent \($0)" })
        #expect(texts.filter { $0.hasPrefix("child") } == (0..<100).map { "child \($0)" })
    }

    private func expectChild(path: String) async {
        await #expect(processExitsWith: .success) { [path = path as String] in
            let database = Database(path: path, schema: notes)
            for number in 0..<100 {
                try await database.insert("child \(number)")
                _ = try await database.texts
            }
        }
    }

    @Test("is busy once another has written for longer than it waits, and goes on afterwards")
    func runsOutOfPatience() async throws {
        var options = DatabaseOptions()
        options.patience = .milliseconds(20)
        let impatient = Database(path: folder.path(), schema: notes, options: options)
        try await impatient.insert("before")
        let (isWriting, mayEnd) = (Signal(), Signal())
        try database.enqueue { connection throws(DatabaseError) in
            try connection.run("INSERT INTO note (text) VALUES ('long')")
            isWriting.fire()
            mayEnd.block()
        }
        await isWriting.wait()
        await #expect(throws: DatabaseError.busy) { try await impatient.insert("never") }
        #expect(try await impatient.texts == ["before"])
        #expect(try impatient.readNow { _ in true } == true)
        mayEnd.fire()
        try await database.flush()
        try await impatient.insert("after")
        #expect(try await impatient.texts == ["before", "long", "after"])
    }

    @Test("waits for another that writes")
    func waits() async throws {
        let other = Database(path: folder.path(), schema: notes)
        try await other.prepare()
        let (isWriting, mayEnd) = (Signal(), Signal())
        try database.enqueue { connection throws(DatabaseError) in
            try connection.run("INSERT INTO note (text) VALUES ('first')")
            isWriting.fire()
            mayEnd.block()
        }
        await isWriting.wait()
        let second = Task { try await other.insert("second") }
        mayEnd.fire()
        try await second.value
        #expect(try await database.texts == ["first", "second"])
    }

    @Test("writes nothing into a file that a newer version has taken over")
    func refusesNewerMeanwhile() async throws {
        try await database.insert("old")
        let newer = Schema(
            applicationID: notes.applicationID,
            migrations: notes.migrations + [Migration(to: 2, "ALTER TABLE note ADD COLUMN stars")]
        )
        let other = Database(path: folder.path(), schema: newer)
        try await other.prepare()
        await #expect(throws: DatabaseError.newer(version: 2)) { try await database.insert("new") }
        #expect(try await other.texts == ["old"])
    }

    @Test("says that a file is read-only to whom it is")
    func reportsReadOnly() async throws {
        try await database.insert("one")
        await database.close()
        await #expect(processExitsWith: .success) { [path = folder.path() as String] in
            chmod(path, 0o444)
            // Where the tests run as root, everything may be written.
            if getuid() == 0 {
                let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
                chmod(folder, 0o777)
                try #require(setegid(65534) == 0 && seteuid(65534) == 0)
            }
            let database = Database(path: path, schema: notes)
            await #expect(throws: DatabaseError.readOnly) { try await database.insert("two") }
        }
    }

    @Test("says full when the disk is")
    func reportsFullDisk() async throws {
        await #expect(processExitsWith: .success) { [path = folder.path() as String] in
            let database = Database(path: path, schema: notes)
            try await database.insert("before")
            // What the system refuses beyond this size looks like a full disk to SQLite, the signal aside.
            var limit = rlimit(rlim_cur: 200_000, rlim_max: 200_000)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            await #expect(throws: DatabaseError.full) {
                try await database.write { connection throws(DatabaseError) in
                    try connection.run("INSERT INTO note (text, body) VALUES ('big', zeroblob(1000000))")
                }
            }
            try await database.insert("after")
            let texts = try await database.texts
            try #require(texts == ["before", "after"])
        }
    }
}
