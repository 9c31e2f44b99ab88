import BenchmarkSide
import FoundationEssentials
import LibraryText
import MastheadPublishing

/// Reads from a library that is there.
struct Reading: Sendable {
    private let workload: LibraryWorkload
    private let library: Library

    init(_ workload: LibraryWorkload) async throws {
        self.workload = workload
        library = try await Library(directory: URL(filePath: workload.place))
    }

    /// Articles with their texts, many at once.
    func byID() async throws -> SideResult {
        let each = min(LibraryWorkload.most, workload.entries)
        return try await measure(each) { turn in
            let numbers = (turn * each..<(turn + 1) * each).map { library_pick(Int64($0), UInt(workload.entries)) }
            let ids = numbers.map { Article.ID(Corpus.articleID(Int($0))) }
            let start = monotonicNanoseconds()
            let articles = try await library.articles(ids)
            let time = monotonicNanoseconds() - start
            guard articles.count == each, articles.allSatisfy({ $0.body.utf8.count > 1000 && $0.assetIDs.count == 2 })
            else { throw Wrong(what: "\(articles.count) articles of \(each)") }
            return time
        }
    }

    /// Pages of 20 in the order of their issue.
    func pages() async throws -> SideResult {
        let issues = (0..<workload.entries / Corpus.issueSize).map(Corpus.issueID)
        return try await measure { turn in
            let number = Int(library_pick(Int64(turn), UInt(issues.count * 2)))
            let start = monotonicNanoseconds()
            let page = try await library.articles.inIssue(issues[number / 2]).page(number % 2 + 1)
            let time = monotonicNanoseconds() - start
            guard page.count == 20 else { throw Wrong(what: "\(page.count) articles on a page") }
            return time
        }
    }

    /// The best hits of a word.
    func search(_ word: String) async throws -> SideResult {
        try await measure { _ in
            let start = monotonicNanoseconds()
            let hits = try await library.search(word)
            let time = monotonicNanoseconds() - start
            guard hits.count == 20, hits.allSatisfy({ !$0.snippet.highlights.isEmpty || !$0.title.highlights.isEmpty })
            else { throw Wrong(what: "\(hits.count) hits") }
            return time
        }
    }

    /// Does all pieces of the work: each reads so many articles, and says how long it took, in nanoseconds.
    private func measure(_ each: Int = 1, _ read: (Int) async throws -> UInt64) async throws -> SideResult {
        var latencies: [UInt64] = []
        latencies.reserveCapacity(workload.count)
        let span = Span()
        for turn in 0..<workload.count { latencies.append(try await read(turn)) }
        var result = span.result(of: latencies, count: workload.count * each, bytes: 0)
        // Without what came in between.
        result.seconds = Double(latencies.reduce(0, +)) / 1e9
        await library.close()
        return result
    }
}
