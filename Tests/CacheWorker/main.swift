// Writes to a cache until somebody kills it, and says on its standard output what it is at.
//
// usage: CacheWorker MODE FOLDER SEED STALL
//
// STALL is the number of the transaction in which it waits to be killed, at its begin or before its commit; 0 for none.
//
// `T` stands for a transaction that was begun, `t` for one whose statements are done, and a line for what may be relied on
// from then on: `F number` for values that are on disk, `U user` for a user whose values are, `W user` for one whose files are
// gone, `M` for a migration that begins. In mode `share` it goes on until there is a file `stop`, and in mode `full` until its
// disk was full and was not any more; both end with `E` for what went wrong or `D` for done.

import CrashKit
import FoundationEssentials
import MastheadNetworking
import MastheadSQLite

#if canImport(Glibc)
import Glibc
#endif

let arguments = CommandLine.arguments
guard arguments.count == 5, let seed = UInt64(arguments[3]), let stall = Int(arguments[4]) else { exit(64) }
let (mode, folder) = (arguments[1], arguments[2])
var random = SplitMix(state: seed)
// No more than a quarter of what there is room for.
let longest: UInt64 = mode == "evict" ? 200_000 : 600_000

let teller = TransactionTeller(stall: stall, atBegin: random.next() % 2 == 0)

var options = ModelCache.Options()
options.whenInTransaction = teller.tell
if mode == "evict" { options.diskLimit = 1 << 20 }

switch mode {
case "write", "evict":
    let cache = ModelCache(folder: folder, options: options)
    guard let partition = cache.partition(for: CrashRecord.environment) else { exit(2) }
    var number = 0
    while true {
        for _ in 0..<8 {
            number += 1
            let isLong = random.next() % 16 == 0
            let length = Int(random.next() % (isLong ? longest : 20_000))
            let record = CrashRecord(number: number, length: length, seed: random.next())
            try await partition.set(record, for: "k-\(number % 40)", tags: ["t-\(number % 5)"])
            if random.next() % 10 == 0 { try await partition.remove(CrashRecord.self, for: "r-\(number % 7)") }
            if random.next() % 12 == 0 { try await partition.set(record, for: "r-\(number % 7)") }
        }
        try await partition.flush()
        say("F \(number)")
    }
case "wipe":
    let cache = ModelCache(folder: folder, options: options)
    var user = 0
    while true {
        user += 1
        let session = CrashSession(user: user, seed: seed)
        guard let partition = cache.partition(for: CrashRecord.environment, session: session) else { exit(2) }
        for number in 0..<12 {
            let record = CrashRecord(number: number, length: Int(random.next() % 8_000), seed: random.next())
            try await partition.set(record, for: "k-\(number)")
        }
        try await partition.flush()
        say("U \(user)")
        if let name = session.partition { try await cache.remove(name) }
        say("W \(user)")
    }
case "migrate":
    var turn = 0
    while true {
        turn += 1
        let path = "\(folder)/migrate-\(turn).db"
        let old = Database(path: path, schema: CrashMigration.old)
        try await old.write { (connection) throws(DatabaseError) in try CrashMigration.fill(connection) }
        await old.close()
        say("M \(turn)")
        let new = Database(
            path: path,
            schema: CrashMigration.new(teller.tell)
        )
        try await new.prepare()
        await new.close()
    }
case "share": try await share(folder, as: Int(seed), options)
case "full": try await full(folder, options)
default: exit(64)
}
