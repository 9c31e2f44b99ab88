import BenchmarkSide
import FoundationEssentials
import MastheadNetworking

/// Reads entries one at a time, from a file that is there.
struct Reading: Sendable {
    private let workload: CacheWorkload
    private let place: Place

    init(_ workload: CacheWorkload, memoryLimit: Int = 0) throws {
        self.workload = workload
        place = try Place(workload.place, memoryLimit: memoryLimit)
    }

    /// Payloads as they lie on the disk.
    func payloads() async throws -> SideResult {
        let partition = place.partition
        return try await measure { key in
            guard let payload = await partition.payload(Article.self, for: key) else { throw Missing(key: key) }
            return payload.count
        }
    }

    /// Values from the disk; afterwards, what decoding alone takes.
    func values() async throws -> SideResult {
        let partition = place.partition
        let bytes = workload.bodyBytes
        var result = try await measure { key in
            guard let entry = await partition.entry(Article.self, for: key), entry.origin == .disk else {
                throw Missing(key: key)
            }
            return bytes
        }
        result.codingMicroseconds = try Coding.decodingMicroseconds()
        return result
    }

    /// Values from memory, where a reading of all has put them.
    func memory() async throws -> SideResult {
        let partition = place.partition
        let bytes = workload.bodyBytes
        // More than once: what was read before the cache had heard of other processes does not stay.
        var missing = workload.entries
        while missing > 0 {
            missing = 0
            for number in 0..<workload.entries {
                let entry = await partition.entry(Article.self, for: CacheWorkload.key(of: number))
                if entry?.origin != .memory { missing += 1 }
            }
        }
        return try await measure { key in
            guard let entry = await partition.entry(Article.self, for: key), entry.origin == .memory else {
                throw Missing(key: key)
            }
            return bytes
        }
    }

    private func measure(_ read: (String) async throws -> Int) async throws -> SideResult {
        let keys = (0..<workload.entries).map(CacheWorkload.key)
        for turn in 0..<min(200, workload.count) { _ = try await read(keys[workload.entry(inTurn: -1 - turn)]) }
        var latencies: [UInt64] = []
        latencies.reserveCapacity(workload.count)
        let span = Span()
        var last = monotonicNanoseconds()
        for turn in 0..<workload.count {
            let bytes = try await read(keys[workload.entry(inTurn: turn)])
            guard bytes == workload.bodyBytes else { throw WrongBody(expected: workload.bodyBytes, found: bytes) }
            let now = monotonicNanoseconds()
            latencies.append(now - last)
            last = now
        }
        let result = span.result(of: latencies, bytes: workload.bodyBytes)
        try await place.cache.close()
        return result
    }

    /// Opens a cache that this process has never seen, and reads one payload.
    static func open(_ workload: CacheWorkload) async throws -> SideResult {
        let key = CacheWorkload.key(of: workload.entry(inTurn: 0))
        // An app has it anyway, whether it keeps anything or not.
        _ = Place.configuration
        let span = Span()
        let start = monotonicNanoseconds()
        let place = try Place(workload.place, memoryLimit: 16 << 20)
        let found = await place.partition.payload(Article.self, for: key)
        let result = span.result(of: [monotonicNanoseconds() - start], bytes: workload.bodyBytes)
        guard found?.count == workload.bodyBytes else { throw Missing(key: key) }
        try await place.cache.close()
        return result
    }
}
