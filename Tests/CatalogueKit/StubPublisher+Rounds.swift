import FoundationEssentials

extension StubPublisher {
    /// A publisher that several processes have alike: large enough for a sync to be several transactions.
    package static func common() -> StubPublisher {
        let publisher = StubPublisher(StubCatalogue(volumes: 4, issues: 8, articles: 15))
        publisher.pause()
        return publisher
    }

    /// Changes what it has, each round in its own way, on a clock that does not depend on what it was asked for.
    package func change(round: Int, seed: UInt64) {
        change { $0.now = StubCatalogue().now + Double(round) * 7200 }
        var dice = CatalogueDice(seed: seed &* 1_000_003 &+ UInt64(round))
        for number in 0..<1 + dice.roll(8) {
            change { $0.change(&dice, "\(round)x\(number)") }
        }
        // Nothing of it is too near to when it is asked for.
        change { $0.now = StubCatalogue().now + Double(round) * 7200 + 3600 }
    }
}
