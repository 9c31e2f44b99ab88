import BenchmarkSide
import FoundationEssentials
import MastheadPublishing

/// Saves articles in a folder.
struct Writing: Sendable {
    private let workload: LibraryWorkload
    private let library: Library

    init(_ workload: LibraryWorkload) async throws {
        self.workload = workload
        library = try await Library(directory: URL(filePath: workload.place))
    }

    /// A library with nothing in it.
    func makeEmpty() async throws -> SideResult {
        let span = Span()
        let start = monotonicNanoseconds()
        await library.close()
        return span.result(of: [monotonicNanoseconds() - start], bytes: 0)
    }

    /// A library with assets and no article.
    func make() async throws -> SideResult {
        let span = Span()
        let start = monotonicNanoseconds()
        try await library.apply { $0.save(Corpus.assets) }
        await library.close()
        return span.result(of: [monotonicNanoseconds() - start], bytes: 0)
    }

    /// A library with articles and their issues, for others to read.
    func fill() async throws -> SideResult {
        let span = Span()
        let start = monotonicNanoseconds()
        try await library.apply { $0.save(Corpus.assets) }
        for first in stride(from: 0, to: workload.entries, by: 10_000) {
            let numbers = first..<min(first + 10_000, workload.entries)
            let issues = numbers.lowerBound / Corpus.issueSize..<numbers.upperBound / Corpus.issueSize
            try await library.apply {
                $0.save(numbers.map(Corpus.article))
                $0.save(issues.map(Corpus.issue))
            }
        }
        await library.close()
        return span.result(of: [monotonicNanoseconds() - start], count: workload.entries, bytes: 0)
    }

    /// Saves all articles in one transaction.
    func insert(_ indexing: LibraryChanges.Indexing) async throws -> SideResult {
        let articles = (0..<workload.entries).map(Corpus.article)
        let span = Span()
        let start = monotonicNanoseconds()
        try await library.apply {
            $0.indexing = indexing
            $0.save(articles)
        }
        let result = span.result(of: [monotonicNanoseconds() - start], count: workload.entries, bytes: 0)
        // The floor gives none back within that time either.
        withExtendedLifetime(articles) {}
        await library.close()
        return result
    }
}
