/// A number that a scenario has to reach.
struct Bar: Sendable {
    /// Those of every area.
    static let all = [
        Bar("http.sequential", .toPeer, 3, aim: 3.3),
        Bar("http.sequential", .toFloor, 0.75, aim: 0.85),
        Bar("http.concurrent64", .toPeer, 11, aim: 14),
        Bar("http.concurrent64", .toFloor, 0.6, aim: 0.75),
        Bar("http.concurrent64", .cpuToPeer, 10, aim: 12),
        Bar("https.concurrent64", .toPeer, 10, aim: 12),
        Bar("http2.concurrent64", .toPeer, 8, aim: 10),
        Bar("https.cold64", .toFloor, 10),
        Bar("http.download256", .toPeer, 1.7),
        Bar("http.download256", .toFloor, 0.95),
        Bar("http.download256", .rssMiB, 25),
        Bar("http.upload256", .rssMiB, 25),
        // A tenth more than the executor alone.
        Bar("http.pipelineOverhead", .cpuToFloor, 1 / 1.1),
        // 3 % more on a connection that is kept, 10 % more with a new one.
        Bar("tls.pinnedReused", .cpuToFloor, 1 / 1.03),
        Bar("tls.pinnedNew", .cpuToFloor, 1 / 1.1),
        Bar("json.list1000", .toPeer, 3, aim: 5),
        Bar("json.list1000", .grownToPeer, 1),
        Bar("json.fourFields", .toPeer, 3, aim: 5),
        Bar("json.fourFields", .grownToPeer, 1),
        Bar("json.single", .toPeer, 2.5),
        Bar("json.single", .grownToPeer, 1),
        Bar("json.fetchAndDecode", .toPeer, 2.5),
        Bar("json.fetchAndDecode", .rssToPeer, 1),
        Bar("cache.memoryHit", .toPeer, 10),
        Bar("cache.diskHit", .toFloor, 1 / 1.3),
        Bar("cache.set", .toFloor, 0.7),
        // Half as much again as C and the decoder.
        Bar("cache.get", .toFloor, 1 / 1.5),
        Bar("cache.insert100k", .toFloor, 0.8),
        Bar("cache.readersBesideWriter", .p99ToP50, 4),
        Bar("cache.open100k", .toFloor, 1 / 3),
        Bar("cache.open100k", .rssMiB, 30),
        // The head of the answer is written again, its body is not.
        Bar("cache.revalidate", .writtenShare, 0.05),
        Bar("library.insert100k", .toFloor, 1 / 1.3),
        Bar("library.insert100kIndexed", .toFloor, 1 / 1.25),
        Bar("library.byID", .toFloor, 1 / 1.5),
        Bar("library.page20", .toFloor, 1 / 1.3),
        Bar("library.search", .toFloor, 1 / 1.2),
        Bar("library.searchCommon", .p50Milliseconds, 10),
        Bar("library.readersBesideWriter", .toFloor, 0.75),
        Bar("library.observe", .p50Milliseconds, 0.5),
        Bar("library.sync", .toFloor, 0.6),
    ]

    /// What is looked at.
    enum Measure: String, Sendable {
        /// Our speed over the peer's.
        case toPeer
        /// Our speed over the floor's.
        case toFloor
        /// The peer's CPU seconds for a request over ours.
        case cpuToPeer
        /// The floor's CPU seconds for a request over ours.
        case cpuToFloor
        /// The most memory that our process held; less is better, unlike with the ratios.
        case rssMiB
        /// The median time in milliseconds; less is better.
        case p50Milliseconds
        /// How many times the median time the time is that 99 of 100 stay within; less is better.
        case p99ToP50
        /// What our process has the system write, over the size of the payloads; less is better.
        case writtenShare
        /// By how much the peer's memory grew at work over what ours grew by.
        case grownToPeer
        /// The most memory that the peer's process held over what ours held.
        case rssToPeer

        /// Whether the bound is the most that will do.
        var isLessBetter: Bool { [.rssMiB, .p50Milliseconds, .p99ToP50, .writtenShare].contains(self) }
    }

    /// The name of the scenario.
    let scenario: String

    /// What is looked at.
    let measure: Measure

    /// The least that will do, or the most if less is better.
    let bound: Double

    /// What would be better still; `nil` if that was not said.
    let aim: Double?

    private init(_ scenario: String, _ measure: Measure, _ bound: Double, aim: Double? = nil) {
        self.scenario = scenario
        self.measure = measure
        self.bound = bound
        self.aim = aim
    }

    /// How a run's value stands to a bound.
    func isMet(by value: Double, bound: Double) -> Bool {
        measure.isLessBetter ? value < bound : value >= bound
    }
}
