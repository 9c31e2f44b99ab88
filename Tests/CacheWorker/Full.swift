import CrashKit
import FoundationEssentials
import MastheadNetworking
import MastheadSQLite

#if canImport(Glibc)
import Glibc
#endif

/// Fills its disk, which is a small one, makes room again, and says what the cache made of it.
func full(_ folder: String, _ options: ModelCache.Options) async throws {
    var options = options
    options.memoryLimit = 0
    options.diskLimit = 1 << 30
    let filler = folder + "/filler"
    try Data(count: 3 << 20).write(to: URL(filePath: filler))
    let cache = ModelCache(folder: folder + "/cache", options: options)
    guard let partition = cache.partition(for: CrashRecord.environment) else { exit(2) }
    let kept = CrashRecord(number: 1, length: 5_000, seed: 1)
    try await partition.set(kept, for: "kept")
    try await partition.flush()

    var failure: CacheError?
    for number in 0..<200 where failure == nil {
        do throws(CacheError) {
            try await partition.set(
                CrashRecord(number: number, length: 200_000, seed: UInt64(number)),
                for: "n-\(number)"
            )
            try await partition.flush()
        } catch {
            failure = error
        }
    }
    guard failure == .full else {
        say("E not full but \(failure.map { "\($0)" } ?? "nothing")")
        return
    }
    guard await partition.value(CrashRecord.self, for: "kept") == kept else {
        say("E what was kept cannot be read")
        return
    }
    for number in 0..<200 {
        if let value = await partition.value(CrashRecord.self, for: "n-\(number)"),
            !value.isWhole || value.number != number
        {
            say("E value \(number) is not whole")
        }
    }
    unlink(filler)
    let new = CrashRecord(number: 2, length: 100_000, seed: 2)
    try await partition.set(new, for: "new")
    try await partition.flush()
    guard await partition.value(CrashRecord.self, for: "new") == new else {
        say("E what was kept after that cannot be read")
        return
    }
    try await cache.close()
    let again = ModelCache(folder: folder + "/cache", options: options)
    guard await again.partition(for: CrashRecord.environment)?.value(CrashRecord.self, for: "kept") == kept else {
        say("E what was kept is gone after a restart")
        return
    }
    say("D 1")
}
