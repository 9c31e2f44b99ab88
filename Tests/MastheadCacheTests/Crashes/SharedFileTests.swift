import CrashKit
import Foundation
import MastheadNetworking
import MastheadSQLite
import Testing

@Suite("Two processes on one file", .timeLimit(.minutes(5)))
struct SharedFileTests {
    private static let isSoak = ProcessInfo.processInfo.environment["MASTHEAD_SOAK"] == "1"

    @Test("a mixed load has no error, and no update is lost")
    func mixed() async throws {
        let folder = try TestFolder()
        let path = folder.path
        let (seconds, workers) = try await onThread { () -> (Double, [(last: Int, errors: [String], status: Int32)]) in
            let start = DispatchTime.now().uptimeNanoseconds
            let workers = [
                try Worker("CacheWorker", "share", folder: path, seed: 1),
                try Worker("CacheWorker", "share", folder: path, seed: 2),
            ]
            for worker in workers { worker.waitFor("F", count: 10) }
            while Self.isSoak, DispatchTime.now().uptimeNanoseconds - start < 60_000_000_000 {
                for worker in workers { worker.waitFor("F", count: worker.numbers("F").count + 1) }
            }
            try Data().write(to: URL(filePath: path + "/stop"))
            let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
            return (seconds, workers.map { ($0.wait(), $0) }.map { ($1.numbers("D").last ?? 0, $1.errors, $0) })
        }
        for worker in workers {
            #expect(worker.errors.isEmpty)
            #expect(worker.status == 0)
            #expect(worker.last >= 200)
        }
        let counter = Database(path: path + "/counter.db")
        let total: Int? = try await counter.read { (connection) throws(DatabaseError) in
            try connection.value("SELECT value FROM counter")
        }
        await counter.close()
        #expect(total == workers.reduce(0) { $0 + $1.last })

        let cache = ModelCache(folder: path + "/cache")
        let partition = try #require(cache.partition(for: CrashRecord.environment))
        for (index, worker) in workers.enumerated() {
            let own = await partition.value(CrashRecord.self, for: "own-\(index + 1)")
            #expect(own?.number == worker.last)
            #expect(own?.isWhole == true)
        }
        try await cache.close()
        if Self.isSoak { print("shared file: \(seconds) s, \(workers.map(\.last)) rounds, no error") }
    }

    @Test("an observer sees what another process has changed")
    func observed() async throws {
        let folder = try TestFolder()
        let cache = ModelCache(folder: folder.path + "/cache")
        let partition = try #require(cache.partition(for: CrashRecord.environment))
        let changes = partition.changes(CrashRecord.self, for: "own-1")
        // It waits before the other process is there, so that nothing but that one's changes can wake it.
        let (isWaiting, waits) = AsyncStream.makeStream(of: Void.self)
        let observer = Task {
            var seen: [Int] = []
            for await entry in changes {
                guard let entry else {
                    waits.yield()
                    continue
                }
                seen.append(entry.value.number)
                if entry.value.isLast { break }
            }
            return seen
        }
        for await _ in isWaiting { break }
        let last = try await onThread { [path = folder.path] in
            let worker = try Worker("CacheWorker", "share", folder: path)
            worker.waitFor("F", count: 2)
            try Data().write(to: URL(filePath: path + "/stop"))
            #expect(worker.wait() == 0)
            return worker.numbers("D").last ?? 0
        }
        let seen = await observer.value
        #expect(seen.last == last)
        #expect(seen == seen.sorted())
        try await cache.close()
    }
}
