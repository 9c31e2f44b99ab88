import BenchmarkSide
import MastheadNetworking

/// Keeps articles in a folder where none are.
struct Writing: Sendable {
    private let workload: CacheWorkload
    private let place: Place

    init(_ workload: CacheWorkload) throws {
        self.workload = workload
        place = try Place(workload.place, memoryLimit: 16 << 20)
    }

    /// Keeps them for others to read.
    func fill() async throws -> SideResult {
        let span = Span()
        let start = monotonicNanoseconds()
        for first in stride(from: 0, to: workload.entries, by: 1000) {
            try await place.partition.set(articles(first..<min(first + 1000, workload.entries)))
        }
        try await place.cache.close()
        return span.result(of: [monotonicNanoseconds() - start], count: workload.entries, bytes: workload.bodyBytes)
    }

    /// Keeps them one by one, and waits at the end.
    func oneByOne() async throws -> SideResult {
        let partition = place.partition
        let articles = (0..<workload.count).map { (key: CacheWorkload.key(of: $0), article: Article.long($0)) }
        let encoding = try Coding.encodingMicroseconds()
        // Another type, so that the file is there and what comes is alone in it.
        try await partition.set(0, for: "first")
        try await partition.flush()
        let counter = try CommitCounter(in: workload.place)
        let commitsBefore = counter.count
        var latencies: [UInt64] = []
        latencies.reserveCapacity(workload.count)
        let span = Span()
        for (key, article) in articles {
            let start = monotonicNanoseconds()
            try await partition.set(article, for: key)
            latencies.append(monotonicNanoseconds() - start)
        }
        try await partition.flush()
        var result = span.result(of: latencies, bytes: workload.bodyBytes)
        // What is kept is the app's: to let go of it is no part of keeping it.
        withExtendedLifetime(articles) {}
        result.commits = counter.count - commitsBefore
        result.codingMicroseconds = encoding
        try await partition.remove(Int.self, for: "first")
        try await place.cache.close()
        return result
    }

    /// Keeps them all in one transaction.
    func atOnce() async throws -> SideResult {
        let partition = place.partition
        let articles = articles(0..<workload.entries)
        let encoding = try Coding.encodingMicroseconds()
        try await partition.set(0, for: "first")
        try await partition.flush()
        let counter = try CommitCounter(in: workload.place)
        let commitsBefore = counter.count
        let span = Span()
        let start = monotonicNanoseconds()
        try await partition.set(articles)
        var result = span.result(
            of: [monotonicNanoseconds() - start],
            count: workload.entries,
            bytes: workload.bodyBytes
        )
        withExtendedLifetime(articles) {}
        result.commits = counter.count - commitsBefore
        result.codingMicroseconds = encoding
        try await partition.remove(Int.self, for: "first")
        try await place.cache.close()
        return result
    }

    private func articles(_ numbers: Range<Int>) -> [String: Article] {
        Dictionary(uniqueKeysWithValues: numbers.map { (CacheWorkload.key(of: $0), Article.long($0)) })
    }
}
