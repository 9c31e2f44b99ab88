import CrashKit
import Foundation
import MastheadNetworking
import MastheadSQLite
import Testing

/// Kills a process at random moments while it writes, makes room, wipes or migrates, most of them within a transaction, and
/// looks at what is left.
@Suite("A cache whose process is killed", .serialized, .timeLimit(.minutes(20)))
struct CrashTests {
    private static let isSoak = ProcessInfo.processInfo.environment["MASTHEAD_SOAK"] == "1"
    private static let count = isSoak ? 50 : 4
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    /// What was seen at one point.
    private struct Point: Sendable {
        let wasOpen: Bool
        let said: [Character: [Int]]
        let seed: UInt64
    }

    /// Kills a worker somewhere.
    private func kill(_ mode: String, _ number: Int, in path: String) async throws -> Point {
        var random = SplitMix(state: UInt64(number) &* 7919 &+ UInt64(mode.utf8.reduce(0) { $0 &* 31 &+ Int($1) }))
        let seed = random.next()
        let transactions = Int(random.next() % 60) + 1
        let most = mode == "migrate" ? transactions % 3 + 1 : transactions
        // Three of four in a transaction; the others anywhere in the next milliseconds, within a commit too.
        let stall = number % 4 == 3 ? 0 : most
        let spin = random.next() % 3_000_000
        return try await onThread {
            let worker = try Worker("CacheWorker", mode, folder: path, seed: seed, stall: stall)
            worker.waitForTransactions(most)
            CrashKit.spin(nanoseconds: spin)
            let wasOpen = try worker.kill()
            let said = "FUWM".map { ($0, worker.numbers($0)) }
            return Point(wasOpen: wasOpen, said: Dictionary(uniqueKeysWithValues: said), seed: seed)
        }
    }

    @Test(
        "what is left is whole, and nothing that was wiped is back",
        arguments: ["write", "evict", "wipe", "migrate"]
    )
    func killed(mode: String) async throws {
        var open = 0
        for number in 0..<Self.count {
            let path = "\(folder.path)/\(mode)-\(number / 5)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let point = try await kill(mode, number, in: path)
            open += point.wasOpen ? 1 : 0
            switch mode {
            case "write": try await checkValues(in: path, atLeast: point.said["F"]?.last ?? 0)
            case "evict": try await checkValues(in: path, atLeast: nil)
            case "wipe": try await checkWiped(in: path, point)
            default: try await checkMigrated(in: path, turns: point.said["M"]?.last ?? 0)
            }
        }
        #expect(open * 4 >= Self.count * 3, "\(open) of \(Self.count) within a transaction")
        if Self.isSoak { print("crashes: \(mode): \(Self.count) kills, \(open) of them within a transaction") }
    }

    /// Looks at each table, and at each value.
    private func checkValues(in path: String, atLeast number: Int?) async throws {
        let file = try #require(
            try FileManager.default.contentsOfDirectory(atPath: path).first { $0.hasSuffix(".cache") }
        )
        let database = Database(path: "\(path)/\(file)")
        try await database.read { (connection) throws(DatabaseError) in
            #expect(try connection.value("PRAGMA integrity_check") == "ok")
            for (statement, what) in Self.mustBeNone {
                #expect(try connection.value(.dynamic(statement)) == 0, "\(what)")
            }
        }
        await database.close()

        let cache = ModelCache(folder: path)
        let partition = try #require(cache.partition(for: CrashRecord.environment))
        var largest = 0
        let entries = await partition.entries(CrashRecord.self)
        for entry in entries {
            #expect(entry.value.isWhole)
            largest = max(largest, entry.value.number)
        }
        if let number {
            #expect(largest >= number, "\(number) was flushed, and \(largest) is the last there is")
        } else {
            let size = entries.reduce(0) { $0 + $1.value.text.utf8.count }
            #expect(size <= 1 << 20)
        }
        try await cache.close()
    }

    private static let mustBeNone = [
        ("SELECT count(*) FROM body WHERE id >> 20 NOT IN (SELECT id FROM entry)", "payloads without an entry"),
        ("SELECT count(*) FROM entry WHERE id NOT IN (SELECT id >> 20 FROM body)", "entries without a payload"),
        ("SELECT count(*) FROM tag WHERE entry NOT IN (SELECT id FROM entry)", "tags without an entry"),
        (
            """
            SELECT (SELECT bytes FROM total)
            - (SELECT coalesce(sum(size + length(head) + length(key) + 256), 0) FROM entry WHERE pieces >= 0)
            """, "the total is wrong"
        ),
        (
            """
            SELECT count(*) FROM entry WHERE pieces >= 0 AND size !=
            (SELECT sum(length(bytes)) FROM body WHERE body.id >> 20 = entry.id)
            """, "payloads of another length"
        ),
    ]

    private func checkWiped(in path: String, _ point: Point) async throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: path)
        for user in point.said["W"] ?? [] {
            let name = try #require(CrashSession(user: user, seed: point.seed).partition?.name)
            #expect(!files.contains { $0.contains(name) }, "user \(user) is back")
        }
        // What was under way is wiped by whoever does it again.
        let cache = ModelCache(folder: path)
        let last = (point.said["W"]?.last ?? 0) + 1
        let user = try #require(CrashSession(user: last, seed: point.seed).partition)
        try await cache.remove(user)
        #expect(try !FileManager.default.contentsOfDirectory(atPath: path).contains { $0.contains(user.name) })
    }

    private func checkMigrated(in path: String, turns: Int) async throws {
        for turn in 1...max(1, turns) {
            let file = "\(path)/migrate-\(turn).db"
            guard FileManager.default.fileExists(atPath: file) else { continue }
            let database = Database(path: file)
            try await database.read { (connection) throws(DatabaseError) in
                #expect(try connection.value("PRAGMA integrity_check") == "ok")
                let version = try connection.value("PRAGMA user_version", as: Int.self) ?? -1
                let tables = try connection.all("SELECT name FROM sqlite_schema ORDER BY name") { $0[0] as String }
                switch version {
                case 1:
                    #expect(tables == ["note"])
                    #expect(try connection.value("SELECT count(*) FROM note") == CrashMigration.count)
                case 3:
                    #expect(tables == ["page", "page_length"])
                    #expect(try connection.value("SELECT count(*) FROM page") == CrashMigration.count)
                default: Testing.Issue.record("version \(version)")
                }
            }
            await database.close()
            try FileManager.default.removeItem(atPath: file)
        }
    }
}
