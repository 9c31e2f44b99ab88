import BenchmarkSide
import MastheadNetworking

/// Two tasks that read payloads, beside one that keeps 100 entries every 10 ms.
struct Readers: Sendable {
    private let workload: CacheWorkload
    private let place: Place

    init(_ workload: CacheWorkload) throws {
        self.workload = workload
        place = try Place(workload.place, memoryLimit: 0)
    }

    func run() async throws -> SideResult {
        let isOver = Flag()
        let batches = (0..<workload.count).map(batch)
        // Opens the connections.
        try await place.partition.set(batch(-1))
        _ = try await read(from: 0, while: { $0 < 200 })
        let span = Span()
        let latencies = try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for reader in 0..<2 {
                group.addTask { try await read(from: reader << 32) { _ in !isOver.isSet } }
            }
            try await write(batches, isOver)
            return try await group.reduce(into: []) { $0 += $1 }
        }
        var result = span.result(of: latencies, bytes: workload.bodyBytes)
        result.commits = workload.count
        try await place.cache.close()
        return result
    }

    /// Keeps the batches, and says when it is over.
    private func write(_ batches: [[String: Article]], _ isOver: Flag) async throws {
        defer { isOver.set() }
        let clock = ContinuousClock()
        let start = clock.now
        for (number, batch) in batches.enumerated() {
            try await clock.sleep(until: start + .milliseconds(10 * (number + 1)))
            try await place.partition.set(batch)
        }
    }

    /// Reads until told to stop; returns how long each reading took, in nanoseconds.
    @concurrent
    private func read(from first: Int, while condition: @Sendable (Int) -> Bool) async throws -> [UInt64] {
        let keys = (0..<workload.entries).map(CacheWorkload.key)
        var latencies: [UInt64] = []
        latencies.reserveCapacity(1 << 20)
        var turn = 0
        while condition(turn) {
            let key = keys[workload.entry(inTurn: first + turn)]
            let start = monotonicNanoseconds()
            let payload = await place.partition.payload(Article.self, for: key)
            latencies.append(monotonicNanoseconds() - start)
            guard payload?.count == workload.bodyBytes else { throw Missing(key: key) }
            turn += 1
            // A reading that finds a connection never suspends, and the one who writes needs a thread too.
            if turn.isMultiple(of: 32) { await Task.yield() }
        }
        return latencies
    }

    private func batch(_ number: Int) -> [String: Article] {
        let first = 1_000_000 + number * CacheWorkload.batch
        let numbers = first..<first + CacheWorkload.batch
        return Dictionary(uniqueKeysWithValues: numbers.map { (CacheWorkload.key(of: $0), Article.long($0)) })
    }
}
