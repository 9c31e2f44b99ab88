import FoundationEssentials
import MastheadLock
import MastheadSQLite
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

@Suite("Changes by others", .timeLimit(.minutes(1)))
struct ChangeTests {
    private let folder: TestFolder
    private let database: Database

    init() throws {
        folder = try TestFolder()
        database = Database(path: folder.path(), schema: notes)
    }

    @Test("tells of another process's commit, and reads it")
    func seesOtherProcess() async throws {
        var changes = try await database.changes().makeAsyncIterator()
        for text in ["one", "two"] {
            await #expect(processExitsWith: .success) { [path = folder.path() as String, text = text as String] in
                let other = Database(path: path, schema: notes)
                try await other.insert(text)
                await other.close()
            }
            #expect(await changes.next() == .committed)
            // The news may come once for several commits, but never before they can be read.
            #expect(try await database.texts.last == text)
        }
    }

    @Test("tells of another process that is killed after its commit")
    func seesKilledProcess() async throws {
        var changes = try await database.changes().makeAsyncIterator()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path() as String] in
            try await Database(path: path, schema: notes).insert("last words")
            kill(getpid(), SIGKILL)
        }
        #expect(await changes.next() == .committed)
        #expect(try await database.texts == ["last words"])
    }

    @Test("does not take its own commits for others', nor an undone transaction for a commit")
    func knowsItself() async throws {
        let other = Database(path: folder.path(), schema: notes)
        var changes = try await database.changes().makeAsyncIterator()
        for number in 0..<20 { try await database.insert("own \(number)") }
        await #expect(throws: DatabaseError.constraint(.notNull)) {
            try await other.write { connection throws(DatabaseError) in
                try connection.run("INSERT INTO note (text) VALUES ('undone')")
                try connection.run("INSERT INTO note (text) VALUES (NULL)")
            }
        }
        try await database.insert("own again")
        #expect(database.counts.foreignChanges == 0)
        try await other.insert("theirs")
        #expect(await changes.next() == .committed)
        #expect(database.counts.foreignChanges == 1)
    }

    @Test("tells of a large commit only when it can be read")
    func waitsForLargeCommit() async throws {
        let other = Database(path: folder.path(), schema: notes)
        var changes = try await database.changes().makeAsyncIterator()
        // Written in many pieces, since it does not fit into the cache.
        try other.enqueue { connection throws(DatabaseError) in
            for number in 0..<200 {
                try connection.run("INSERT INTO note (text, body) VALUES (?, zeroblob(30000))", "\(number)")
            }
        }
        #expect(await changes.next() == .committed)
        #expect(try await database.texts.count == 200)
        try await other.flush()
    }

    @Test("hears nothing of itself while it writes much, and of others nearly at once", arguments: [false, true])
    func hearsNothingOfItself(isUndone: Bool) async throws {
        var changes = try await database.changes().makeAsyncIterator()
        let neighbour = Database(path: folder.path("neighbour.db"), schema: notes)
        var neighbourChanges = try await neighbour.changes().makeAsyncIterator()
        let elsewhere = try TestFolder()
        let noisy = Database(path: elsewhere.path(), schema: notes)
        let noise = try await noisy.changes()
        let noiseMaker = Task {
            for number in 0... { try await noisy.insert("\(number)") }
        }
        defer { noiseMaker.cancel() }
        let (written, noted) = (Signal(), Signal())
        let hearing = Lock<[Bool?]>([])
        defer { noted.fire() }
        let job = Task { [database, folder] in
            defer { written.fire() }
            try await database.write { connection throws(DatabaseError) in
                for number in 0..<2_000 {
                    if number == 10 { hearing.withLock { $0.append(folder.isHeard()) } }
                    try connection.run("INSERT INTO note (text) VALUES (?)", "\(number)")
                }
                hearing.withLock { $0.append(folder.isHeard()) }
                written.fire()
                noted.block()
                if isUndone { throw .cancelled }
            }
        }
        await written.wait()
        try await Database(path: folder.path("neighbour.db"), schema: notes).insert("theirs")
        #expect(await neighbourChanges.next() == .committed, "while much is written beside it and elsewhere")
        withExtendedLifetime(noise) {}
        // It waits for the end of the transaction, and may come before anybody hears again.
        let next = Database(path: folder.path(), schema: notes)
        let waiting = Task { try await next.insert("theirs") }
        noted.fire()
        _ = await job.result
        #expect(hearing.withLock { $0 } == [true, false])
        #expect(folder.isHeard() == true)
        try await waiting.value
        #expect(await changes.next() == .committed)
        #expect(try await database.texts.count == (isUndone ? 1 : 2_001))
        // Nothing is written any more when the folder is removed.
        noiseMaker.cancel()
        _ = await noiseMaker.result
    }

    @Test("counts what is much for each transaction, and hears as long as somebody else wants to")
    func hearsAgain() async throws {
        let neighbour = Database(path: folder.path("neighbour.db"), schema: notes)
        var neighbourChanges = try await neighbour.changes().makeAsyncIterator()
        var changes: AsyncStream<DatabaseChange>? = try await database.changes()
        for (count, isHeard) in [(900, true), (1_000, false), (900, true), (1_000, false)] {
            #expect(try await hears(after: count) == isHeard)
        }
        let (written, ended) = (Signal(), Signal())
        defer { ended.fire() }
        let job = Task {
            defer { written.fire() }
            return try await hears(after: 2_000) {
                written.fire()
                ended.block()
            }
        }
        await written.wait()
        #expect(folder.isHeard() == false)
        if changes != nil { changes = nil }
        #expect(folder.isHeard() == true, "nobody listens any more to the one who writes")
        ended.fire()
        #expect(try await job.value == false)
        try await Database(path: folder.path("neighbour.db"), schema: notes).insert("theirs")
        #expect(await neighbourChanges.next() == .committed)
    }

    @Test("hears others again though the folder was elsewhere meanwhile")
    func hearsInMovedFolder() async throws {
        let (inner, outer, away) = (folder.path("outer/inner"), folder.path("outer"), folder.path("away"))
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
        let database = Database(path: inner + "/test.db", schema: notes)
        var changes = try await database.changes().makeAsyncIterator()
        try await database.write { connection throws(DatabaseError) in
            for number in 0..<2_000 { try connection.run("INSERT INTO note (text) VALUES (?)", "\(number)") }
            rename(outer, away)
            try? FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
        }
        #expect(folder.isHeard("away/inner") == true)
        #expect(folder.isHeard("outer/inner") == nil)
        try FileManager.default.removeItem(atPath: outer)
        rename(away, outer)
        try await Database(path: inner + "/test.db", schema: notes).insert("theirs")
        // Whoever looked while it was elsewhere has found nothing there.
        var change = await changes.next()
        while change == .replaced { change = await changes.next() }
        #expect(change == .committed)
        #expect(try await database.texts.count == 2_001)
    }

    /// Whether the folder is heard in a transaction that has run so many statements.
    private func hears(after count: Int, then body: @escaping @Sendable () -> Void = {}) async throws -> Bool? {
        let isHeard = Lock<Bool?>(nil)
        try await database.write { [folder] connection throws(DatabaseError) in
            for _ in 0..<count { try connection.run("UPDATE note SET body = NULL WHERE id = 1") }
            isHeard.withLock { $0 = folder.isHeard() }
            body()
        }
        return isHeard.withLock { $0 }
    }

    @Test("goes on with the new file when another process has removed the old one")
    func followsRemoval() async throws {
        try await database.insert("old")
        #expect(try await database.texts == ["old"])
        var changes = try await database.changes().makeAsyncIterator()
        await #expect(processExitsWith: .success) { [path = folder.path() as String] in
            try await Database(path: path, schema: notes).closeAndRemove()
        }
        #expect(await changes.next() == .replaced)
        #expect(try await database.texts.isEmpty)
        try await database.insert("new")
        let other = Database(path: folder.path(), schema: notes)
        #expect(try await other.texts == ["new"])
        try await other.insert("theirs")
        #expect(await changes.next() == .committed)
    }

    @Test("goes on with the new file without being told")
    func noticesRemoval() async throws {
        try await database.insert("old")
        #expect(try await database.texts == ["old"])
        let other = Database(path: folder.path(), schema: notes)
        try await other.closeAndRemove()
        #expect(try await database.texts.isEmpty)
        try await database.insert("new")
        #expect(try await database.texts == ["new"])
    }

    @Test("ends when the database is closed")
    func endsWithDatabase() async throws {
        var changes = try await database.changes().makeAsyncIterator()
        await database.close()
        #expect(await changes.next() == nil)
        await #expect(throws: DatabaseError.closed) { try await database.changes() }
    }

    @Test("ends when the folder is removed")
    func endsWithFolder() async throws {
        let place = folder.path("inner")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        let database = Database(path: place + "/test.db", schema: notes)
        let changes = try await database.changes()
        try FileManager.default.removeItem(atPath: place)
        // The file goes first, which may be told.
        for await change in changes { #expect(change == .replaced) }
        await #expect(throws: DatabaseError.self) { try await database.insert("lost") }
    }

    @Test("tells a handler that was there before the file was opened", arguments: [false, true])
    func tellsHandler(readsFirst: Bool) async throws {
        let other = Database(path: folder.path(), schema: notes)
        if readsFirst { try await other.insert("old") }
        let (told, handler) = AsyncStream.makeStream(of: DatabaseChange.self)
        var changes = told.makeAsyncIterator()
        database.onChange { handler.yield($0) }
        if readsFirst {
            #expect(try database.readNow { _ in true } == true)
            #expect(await changes.next() == .committed, "what was read before may be old already")
        } else {
            try await database.insert("own")
        }
        for number in 0..<3 {
            try await other.insert("\(number)")
            #expect(await changes.next() == .committed)
            #expect(database.counts.foreignChanges == number + 1)
        }
        try await other.closeAndRemove()
        #expect(await changes.next() == .replaced)
    }

    @Test("tells each of several listeners, and watches no longer than they listen")
    func tellsAll() async throws {
        await #expect(processExitsWith: .success) {
            let folder = try TestFolder()
            let database = Database(path: folder.path(), schema: notes)
            let other = Database(path: folder.path(), schema: notes)
            try #require(!Database.isWatchingFolders)
            let streams = [try await database.changes(), try await database.changes()]
            try await other.insert("one")
            for stream in streams {
                for await change in stream {
                    try #require(change == .committed)
                    break
                }
            }
            try #require(Database.isWatchingFolders)
            await database.close()
            try await waitUntil { !Database.isWatchingFolders }
        }
    }
}

/// Waits for what a thread does that nobody can await.
private func waitUntil(_ condition: () -> Bool) async throws {
    while !condition() { await Task.yield() }
}

extension TestFolder {
    /// Whether the system tells this process of each writing to its files (proc_pid_fdinfo(5)); `nil` if it tells of nothing.
    fileprivate func isHeard(_ name: String = "") -> Bool? {
        var status = stat()
        guard stat(path(name), &status) == 0 else { return nil }
        let folder = "ino:" + String(status.st_ino, radix: 16)
        for file in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo")) ?? [] {
            let text = FileManager.default.contents(atPath: "/proc/self/fdinfo/\(file)") ?? Data()
            for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
                let words = line.split(separator: " ")
                guard words.first == "inotify", words.contains(Substring(folder)),
                    let mask = words.first(where: { $0.hasPrefix("mask:") }).flatMap({
                        UInt32($0.dropFirst(5), radix: 16)
                    })
                else { continue }
                return mask & UInt32(IN_MODIFY) != 0
            }
        }
        return nil
    }
}
