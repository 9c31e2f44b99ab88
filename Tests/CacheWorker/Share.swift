import CrashKit
import FoundationEssentials
import MastheadNetworking
import MastheadSQLite

#if canImport(Glibc)
import Glibc
#endif

/// Writes to a cache and counts in a database that another process writes to as well, until there is a file `stop`.
func share(_ folder: String, as process: Int, _ options: ModelCache.Options) async throws {
    var options = options
    options.onProblem = { say("E \($0)") }
    options.diskLimit = 8 << 20
    let cache = ModelCache(folder: folder + "/cache", options: options)
    guard let partition = cache.partition(for: CrashRecord.environment) else { exit(2) }
    let counter = Database(path: folder + "/counter.db", schema: CrashCounter.schema)
    var random = SplitMix(state: UInt64(process))
    var number = 0
    while access(folder + "/stop", F_OK) != 0 {
        number += 1
        let record = CrashRecord(number: number, length: Int(random.next() % 6_000) + 1, seed: random.next())
        try await partition.set(record, for: "own-\(process)", tags: ["all"])
        try await partition.set(record, for: "both-\(number % 10)", tags: ["all"])
        try await counter.write { (connection) throws(DatabaseError) in
            try connection.run("UPDATE counter SET value = value + 1")
        }
        if let other = await partition.value(CrashRecord.self, for: "both-\(random.next() % 10)"), !other.isWhole {
            say("E a value is not whole")
        }
        if number % 20 == 0 {
            for entry in await partition.entries(CrashRecord.self, tagged: "all") where !entry.value.isWhole {
                say("E a value is not whole")
            }
            try await partition.flush()
            say("F \(number)")
        }
        if number % 97 == 0 { try await partition.removeAll(tagged: "none") }
    }
    try await partition.set(CrashRecord.last(number), for: "own-\(process)", tags: ["all"])
    try await cache.close()
    await counter.close()
    say("D \(number)")
}
