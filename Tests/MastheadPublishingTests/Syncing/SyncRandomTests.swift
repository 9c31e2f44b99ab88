import CatalogueKit
import Foundation
import MastheadNetworking
import MastheadPublishing
import Testing

@Suite("Syncs at random", .timeLimit(.minutes(2)))
struct SyncRandomTests {
    @Test(
        "whatever a publisher changed, the library is the same as one that is new",
        arguments: [1, 2, 3, 4] as [UInt64]
    )
    func random(seed: UInt64) async throws {
        let synced = try SyncedFolder()
        var dice = CatalogueDice(seed: seed)
        let library = try await synced.open(.believes)
        try await library.addAllVolumes()
        for round in 0..<40 {
            if dice.roll(2) == 0 { synced.publisher.pause() }
            let changes = dice.roll(6)
            for change in 0..<changes {
                var dice = CatalogueDice(seed: seed &* 1_000_003 &+ UInt64(round * 10 + change))
                synced.publisher.change { $0.change(&dice, "\(round)x\(change)") }
            }
            if dice.roll(4) == 0 { synced.publisher.change { $0.answersLeft = 4 } }
            do throws(LibraryError) {
                try await library.refresh()
            } catch {
                guard case .catalogue(.noNetworkConnection) = error else { throw error }
                synced.publisher.change { $0.answersLeft = .max }
                try await library.refresh()
            }
            synced.publisher.change { $0.answersLeft = .max }
            let expected = Contents(synced.publisher.catalogue.reachable)
            let contents = try await library.contents()
            try #require(contents.without(expected) == [], "too much: seed \(seed), round \(round)")
            try #require(expected.without(contents) == [], "missing: seed \(seed), round \(round)")
            for issue in synced.publisher.catalogue.issues {
                try #require(await library.articles.inIssue(issue.id).ids() == issue.articleIDs)
            }
        }
    }
}
