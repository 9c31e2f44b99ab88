import BenchmarkSide
import FoundationEssentials
import LibraryText
import MastheadPublishing

/// Changes an article, and waits until who observes its page has the new one; counts from the commit.
struct Observing: Sendable {
    private let workload: LibraryWorkload
    private let library: Library

    init(_ workload: LibraryWorkload) async throws {
        self.workload = workload
        library = try await Library(directory: URL(filePath: workload.place))
    }

    func run() async throws -> SideResult {
        let (pages, told) = AsyncStream.makeStream(of: (title: String, time: UInt64).self)
        let library = library
        let observer = Task {
            let query = library.articles.inIssue(Corpus.issueID(0)).limited(to: 20)
            for await page in library.observe(query) {
                told.yield((page.first?.title ?? "", monotonicNanoseconds()))
            }
            told.finish()
        }
        guard let watch = commit_watch_start(workload.place + "/library.db") else {
            throw Wrong(what: "the log has no index")
        }
        defer { commit_watch_end(watch) }
        var latencies: [UInt64] = []
        latencies.reserveCapacity(workload.count)
        var iterator = pages.makeAsyncIterator()
        // What is there.
        _ = await iterator.next()
        var article = Corpus.article(0)
        let span = Span()
        for number in 1...workload.count {
            article.title = "Changed \(number)"
            let known = commit_watch_time(watch)
            try await library.apply { [article] in $0.save(article) }
            var page = await iterator.next()
            while let found = page, found.title != article.title { page = await iterator.next() }
            guard let page else { throw Wrong(what: "the observation has ended") }
            latencies.append(page.time - UInt64(commit_watch_next(watch, known)))
        }
        var result = span.result(of: latencies, bytes: 0)
        result.seconds = Double(latencies.reduce(0, +)) / 1e9
        observer.cancel()
        await library.close()
        return result
    }
}
