import FoundationEssentials
import MastheadLock
import MastheadSQLite
import Testing

@Suite("Backup and integrity", .timeLimit(.minutes(1)))
struct BackupTests {
    private let folder: TestFolder
    private let database: Database

    init() throws {
        folder = try TestFolder()
        database = Database(path: folder.path(), schema: notes)
    }

    private func fill(_ count: Int) async throws {
        try await database.write { connection throws(DatabaseError) in
            for number in 0..<count {
                try connection.run("INSERT INTO note (text, body) VALUES (?, zeroblob(3000))", "\(number)")
            }
        }
    }

    @Test("copies one moment while others write")
    func backsUp() async throws {
        try await fill(1000)
        let database = database
        let progress = Lock<[Double]>([])
        let isCopying = Signal()
        let isWritten = Signal()
        let backup = Task { [path = folder.path("copy.db")] in
            try await database.backUp(to: path) { done in
                progress.withLock { $0.append(done) }
                isCopying.fire()
                isWritten.block()
            }
        }
        await isCopying.wait()
        try await database.insert("too late")
        isWritten.fire()
        try await backup.value
        #expect(progress.withLock { $0 } == progress.withLock { $0.sorted() })
        #expect(progress.withLock { $0.count } > 2)
        #expect(progress.withLock { $0.last } == 1)
        #expect(folder.names.filter { $0.hasPrefix("copy") } == ["copy.db"])
        let copy = Database(path: folder.path("copy.db"), schema: notes)
        #expect(try await copy.texts == (0..<1000).map(String.init))
        try await copy.checkIntegrity(.full)
    }

    @Test("leaves nothing, and the earlier copy whole, if it is cancelled")
    func cancelsBackup() async throws {
        try await fill(1)
        try await database.backUp(to: folder.path("copy.db"))
        let before = folder.content("copy.db")
        try await database.write { connection throws(DatabaseError) in try connection.run("DELETE FROM note") }
        try await fill(1000)
        let database = database
        let (isCopying, mayGoOn) = (Signal(), Signal())
        let backup = Task { [path = folder.path("copy.db")] in
            try await database.backUp(to: path) { _ in
                isCopying.fire()
                mayGoOn.block()
            }
        }
        await isCopying.wait()
        backup.cancel()
        mayGoOn.fire()
        await #expect(throws: DatabaseError.cancelled) { try await backup.value }
        #expect(folder.content("copy.db") == before)
        #expect(folder.names.filter { $0.hasPrefix("copy") } == ["copy.db"])
    }

    @Test("does not put a copy in the place of a database that is in use")
    func refusesUsedTarget() async throws {
        try await fill(1)
        let other = Database(path: folder.path("other.db"), schema: notes)
        try await other.insert("theirs")
        let error = await #expect(throws: DatabaseError.self) { try await database.backUp(to: folder.path("other.db")) }
        #expect(error == .cannotOpen(reason: "the target is in use as a database"))
        #expect(try await other.texts == ["theirs"])
    }

    @Test("finds nothing wrong with what is right, and what is wrong with the rest", arguments: [false, true])
    func checksIntegrity(isFull: Bool) async throws {
        try await fill(200)
        try await database.checkIntegrity(isFull ? .full : .quick)
        await database.close()
        var content = try #require(folder.content())
        content.replaceSubrange(4096 * 20..<4096 * 40, with: Data(repeating: 0xA5, count: 4096 * 20))
        try content.write(to: URL(filePath: folder.path()))
        let damaged = Database(path: folder.path(), schema: notes)
        let error = await #expect(throws: DatabaseError.self) {
            try await damaged.checkIntegrity(isFull ? .full : .quick)
        }
        guard case .damaged(let reason) = error else {
            Issue.record("got \(String(describing: error))")
            return
        }
        #expect(!reason.isEmpty)
    }
}
