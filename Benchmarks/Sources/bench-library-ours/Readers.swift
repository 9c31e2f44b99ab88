import BenchmarkSide
import FoundationEssentials
import LibraryText
import MastheadPublishing
import Synchronization

/// Two tasks that read pages, beside one that saves 100 articles every 10 ms.
struct Readers: Sendable {
    private let workload: LibraryWorkload
    private let library: Library

    init(_ workload: LibraryWorkload) async throws {
        self.workload = workload
        library = try await Library(directory: URL(filePath: workload.place))
    }

    func run() async throws -> SideResult {
        let isOver = Flag()
        let batches = (0..<workload.count).map(batch)
        // Opens the connections.
        _ = try await read(from: 0) { $0 < 50 }
        let span = Span()
        let start = monotonicNanoseconds()
        let (latencies, seconds) = try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for reader in 0..<2 {
                group.addTask { try await read(from: reader << 32) { _ in !isOver.isSet } }
            }
            try await write(batches, isOver)
            let seconds = Double(monotonicNanoseconds() - start) / 1e9
            return (try await group.reduce(into: []) { $0 += $1 }, seconds)
        }
        var result = span.result(of: latencies, bytes: 0)
        result.seconds = seconds
        await library.close()
        return result
    }

    /// Saves the batches, and says when it is over.
    private func write(_ batches: [[Article]], _ isOver: Flag) async throws {
        defer { isOver.set() }
        let clock = ContinuousClock()
        let start = clock.now
        for (number, batch) in batches.enumerated() {
            try await clock.sleep(until: start + .milliseconds(10 * (number + 1)))
            try await library.apply { $0.save(batch) }
        }
    }

    /// Reads until told to stop; returns how long each page took, in nanoseconds.
    @concurrent
    private func read(from first: Int, while condition: @Sendable (Int) -> Bool) async throws -> [UInt64] {
        let issues = (0..<workload.entries / Corpus.issueSize).map(Corpus.issueID)
        var latencies: [UInt64] = []
        latencies.reserveCapacity(1 << 18)
        var turn = 0
        while condition(turn) {
            let number = Int(library_pick(Int64(first + turn), UInt(issues.count * 2)))
            let start = monotonicNanoseconds()
            let page = try await library.articles.inIssue(issues[number / 2]).page(number % 2 + 1)
            latencies.append(monotonicNanoseconds() - start)
            guard page.count == 20 else { throw Wrong(what: "\(page.count) articles on a page") }
            turn += 1
            // A reading that finds a connection never suspends, and the one who writes needs a thread too.
            if turn.isMultiple(of: 8) { await Task.yield() }
        }
        return latencies
    }

    private func batch(_ number: Int) -> [Article] {
        let first = 1_000_000 + number * LibraryWorkload.batch
        return (first..<first + LibraryWorkload.batch).map(Corpus.article)
    }
}

/// What one task sets and others look at.
final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }

    func set() {
        value.store(true, ordering: .relaxed)
    }
}
