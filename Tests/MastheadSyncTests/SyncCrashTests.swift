import CatalogueKit
import CrashKit
import Foundation
import MastheadPublishing
import MastheadSQLite
import Testing

/// Kills a process at random moments while it syncs, most of them within a transaction, and looks at what is left.
@Suite("A library whose process is killed in a sync", .serialized, .timeLimit(.minutes(20)))
struct SyncCrashTests {
    private static let isSoak = ProcessInfo.processInfo.environment["MASTHEAD_SOAK"] == "1"
    private static let count = isSoak ? 200 : 8

    /// Kills a worker somewhere.
    ///
    /// - Returns: Whether a transaction was open, and the last round whose sync had begun.
    private func kill(_ number: Int, seed: UInt64, in path: String) async throws -> (wasOpen: Bool, round: Int) {
        var dice = CatalogueDice(seed: UInt64(number))
        let transactions = dice.roll(20) + 1
        // Three of four in a transaction; the others anywhere in the next milliseconds, within a commit too.
        let stall = number % 4 == 3 ? 0 : transactions
        let spin = UInt64(dice.roll(3_000_000))
        return try await onThread {
            let worker = try Worker("SyncWorker", "kill", folder: path, seed: seed, stall: stall)
            worker.waitForTransactions(transactions)
            CrashKit.spin(nanoseconds: spin)
            let wasOpen = try worker.kill()
            return (wasOpen, worker.numbers("R").last ?? 0)
        }
    }

    @Test("what is left is whole, and the next sync ends as if nothing had been")
    func killed() async throws {
        var open = 0
        for number in 0..<Self.count {
            let folder = try SyncFolder()
            let seed = UInt64(number) &* 7919 &+ UInt64(number / 7)
            let (wasOpen, round) = try await kill(number, seed: seed, in: folder.path)
            open += wasOpen ? 1 : 0
            try await folder.expectWhole()

            let publisher = StubPublisher.common()
            for round in 0...round where round > 0 { publisher.change(round: round, seed: seed) }
            let library = try await folder.open(publisher)
            if round == 0 { try await library.addAllVolumes() } else { try await library.refresh() }
            let fresh = try SyncFolder()
            let never = try await fresh.open(publisher)
            try await never.addAllVolumes()
            try await expect(library, isAs: never, "kill \(number), round \(round)")
            await library.close()
            await never.close()
            withExtendedLifetime((folder, fresh)) {}
        }
        #expect(open * 4 >= Self.count * 3, "\(open) of \(Self.count) within a transaction")
        if Self.isSoak { print("crashes: sync: \(Self.count) kills, \(open) of them within a transaction") }
    }

    private func expect(_ library: Library, isAs other: Library, _ comment: Comment) async throws {
        #expect(try await Set(library.volumes.all()) == Set(other.volumes.all()), comment)
        #expect(try await Set(library.articles.bodies().all()) == Set(other.articles.bodies().all()), comment)
        #expect(try await Set(library.assets.all()) == Set(other.assets.all()), comment)
        let (issues, others) = try await (library.issues.all(), other.issues.all())
        #expect(Set(issues.map(\.id)) == Set(others.map(\.id)), comment)
        for issue in issues {
            let article = try await library.articles.inIssue(issue.id).ids()
            #expect(try await article == other.articles.inIssue(issue.id).ids(), comment)
        }
        for word in ["text", "title"] {
            let count = try await library.articles.count(of: SearchQuery(typing: word))
            #expect(try await count == other.articles.count(of: SearchQuery(typing: word)), comment)
        }
    }
}
