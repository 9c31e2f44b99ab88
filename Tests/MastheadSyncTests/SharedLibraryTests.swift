import CatalogueKit
import CrashKit
import Foundation
import MastheadLock
import MastheadPublishing
import Testing

/// One process syncs, another reads and observes.
@Suite("A library of two processes", .timeLimit(.minutes(5)))
struct SharedLibraryTests {
    private static let isSoak = ProcessInfo.processInfo.environment["MASTHEAD_SOAK"] == "1"
    private static let rounds = isSoak ? 300 : 15

    @Test("each sees what is whole, and the observer comes to what is last")
    func shared() async throws {
        let folder = try SyncFolder()
        let library = try await folder.open()
        let observed = Lock(0)
        let observer = Task {
            for await _ in library.observe(library.articles) { observed.withLock { $0 += 1 } }
        }
        let path = folder.path
        let worker = try await onThread { [path] in
            let worker = try Worker("SyncWorker", "share", folder: path, seed: 3)
            worker.waitFor("S", count: 1)
            return Handed(worker)
        }
        let end = Task { [path] in
            try await onThread {
                worker.value.waitFor("S", count: Self.rounds)
                try Data().write(to: URL(filePath: path + "/stop"))
                return (status: worker.value.wait(), errors: worker.value.errors, rounds: worker.value.numbers("D"))
            }
        }
        var reads = 0
        while !FileManager.default.fileExists(atPath: path + "/stop") {
            for issue in try await library.issues.all() {
                let articles = try await library.articles.inIssue(issue.id).bodies().all()
                #expect(articles.allSatisfy { !$0.isStub })
                reads += 1
            }
            try await folder.expectWhole()
        }
        let (status, errors, rounds) = try await end.value
        #expect(status == 0)
        #expect(errors == [])
        let last = try #require(rounds.last)

        let publisher = StubPublisher.common()
        for round in 1...max(1, last) { publisher.change(round: round, seed: 3) }
        let expected = Set(publisher.catalogue.reachable.articles.map(\.id))
        // The observer's next look, if it has not had it yet.
        for await articles in library.observe(library.articles) where Set(articles.map(\.id)) == expected { break }
        #expect(observed.withLock { $0 } > 1)
        observer.cancel()
        await library.close()
        if Self.isSoak { print("two processes: \(last) syncs, \(reads) issues read beside them") }
    }

    /// A worker that one thread hands to the next.
    private struct Handed: @unchecked Sendable {
        let value: Worker

        init(_ value: Worker) { self.value = value }
    }
}
