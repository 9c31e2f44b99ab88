import BenchmarkSide

/// What the sides measured in each round of a scenario.
struct Rounds {
    private let scenario: Scenario
    private var results: [Scenario.Side: [SideResult]] = [:]
    /// The floor's rates before it had any coding to do.
    private var floorAlone: [Double] = []

    /// Runs the rounds: in each, every side once, in an order that rotates.
    init(_ scenario: Scenario, pairs: Int, on stage: any Stage) throws(BenchError) {
        self.scenario = scenario
        var sides: [Scenario.Side] = []
        for side in Scenario.Side.allCases where stage.canRun(side, of: scenario) { sides.append(side) }
        for round in 0..<pairs {
            for turn in sides.indices {
                let side = sides[(round + turn) % sides.count]
                guard let part = scenario.parts[side] else { continue }
                let result: SideResult
                do {
                    result = try stage.run(part, as: side, of: scenario)
                } catch {
                    throw BenchError("\(side.rawValue): \(error)")
                }
                results[side, default: []].append(result)
                let rate = rate(result).rounded(toDigits: 4)
                Progress.say(
                    "\(scenario.name) \(round + 1)/\(pairs) \(side.rawValue): \(rate) \(scenario.unit.rawValue)"
                )
            }
            settleCoding()
        }
    }

    /// Gives what coding takes by itself to the floor's time in the last round.
    private mutating func settleCoding() {
        guard let last = results[.ours]?.indices.last, let coding = results[.ours]?[last].codingMicroseconds else {
            return
        }
        switch scenario.coding {
        case .counted: break
        case .added: results[.floor]?[last].add(microsecondsEach: coding)
        case .shared:
            if let floor = results[.floor]?[last] { floorAlone.append(rate(floor)) }
            results[.floor]?[last].share(microsecondsEach: coding)
        }
    }

    /// The one line that says it all.
    var line: ScenarioLine {
        let toPeer = ratio(to: .peer)
        let toFloor = ratio(to: .floor)
        let bounds = toPeer ?? toFloor
        return ScenarioLine(
            scenario: scenario.name,
            unit: scenario.unit.rawValue,
            ours: median(.ours, rate),
            peer: median(.peer, rate),
            floor: median(.floor, rate),
            toPeer: toPeer?.median,
            toFloor: toFloor?.median,
            cpuPer10k: median(.ours, \.cpuPer10k),
            p50: median(.ours, \.p50),
            p99: median(.ours, \.p99),
            switches: median(.ours, \.switchesPerRequest),
            rssMiB: median(.ours, \.rssMiB),
            pairs: results[.ours]?.count ?? 0,
            low: bounds?.low,
            high: bounds?.high,
            note: note
        )
    }

    /// The value of a bar's measure; `nil` if a side is missing.
    func value(_ measure: Bar.Measure) -> Double? {
        switch measure {
        case .toPeer: ratio(to: .peer)?.median
        case .toFloor: ratio(to: .floor)?.median
        case .cpuToPeer: cpuRatio(to: .peer)
        case .cpuToFloor: cpuRatio(to: .floor)
        case .rssMiB: median(.ours, \.rssMiB)
        case .p50Milliseconds: median(.ours) { $0.p50 / 1000 }
        case .p99ToP50: median(.ours) { $0.p99 / $0.p50 }
        case .writtenShare: results[.ours]?.compactMap(\.writtenShare).median
        case .grownToPeer: grownToPeer
        case .rssToPeer:
            median(.peer, \.rssMiB).flatMap { peer in median(.ours, \.rssMiB).map { peer / $0 } }
        }
    }

    /// Why the run says nothing; `nil` if it does.
    var void: String? {
        guard let bound = scenario.voidBelow, let floor = median(.floor, rate), let peer = median(.peer, rate),
            floor / peer < bound
        else { return nil }
        return "the floor is only \((floor / peer).rounded(toDigits: 3)) times the peer"
    }

    private func rate(_ result: SideResult) -> Double {
        switch scenario.unit {
        case .mebibytes: Double(result.bytes) / 1_048_576 / result.seconds
        default: Double(result.requests) / result.seconds
        }
    }

    private func median(_ side: Scenario.Side, _ value: (SideResult) -> Double) -> Double? {
        results[side]?.map(value).median
    }

    /// Ours over theirs: of the medians, and the bounds over the pairs.
    private func ratio(to side: Scenario.Side) -> (median: Double, low: Double, high: Double)? {
        guard let ours = results[.ours]?.map(rate), let theirs = results[side]?.map(rate) else { return nil }
        let ratios = zip(ours, theirs).map { $0 / $1 }
        guard let low = ratios.min(), let high = ratios.max(), let our = ours.median, let their = theirs.median
        else { return nil }
        return (our / their, low, high)
    }

    /// Their CPU seconds for a request over ours.
    private func cpuRatio(to side: Scenario.Side) -> Double? {
        guard let ours = median(.ours, \.cpuPer10k), let theirs = median(side, \.cpuPer10k) else { return nil }
        return theirs / ours
    }

    /// By how much the peer's memory grew over what ours grew by.
    private var grownToPeer: Double? {
        guard let ours = results[.ours]?.compactMap(\.grownMiB).median,
            let theirs = results[.peer]?.compactMap(\.grownMiB).median
        else { return nil }
        // A page of the kernel's is the least that is seen.
        return max(theirs, 1 / 256) / max(ours, 1 / 256)
    }

    private var note: String {
        var parts = [scenario.note]
        if let void { parts.insert("VOID, \(void)", at: 0) }
        for measure in [Bar.Measure.cpuToPeer, .cpuToFloor] {
            if let value = value(measure) { parts.append("\(measure.rawValue) \(value.rounded(toDigits: 3))") }
        }
        if let count = results[.ours]?.compactMap(\.connectionCount).median {
            parts.append("connections \(count.rounded(toDigits: 3))")
        }
        if let grown = results[.ours]?.compactMap(\.grownMiB).median {
            parts.append("grown MiB \(grown.rounded(toDigits: 3))")
        }
        for side in [Scenario.Side.peer, .floor] where scenario.parts[side] != nil {
            guard let cpu = median(side, \.cpuPer10k), let p50 = median(side, \.p50), let p99 = median(side, \.p99),
                let switches = median(side, \.switchesPerRequest), let peak = median(side, \.rssMiB)
            else {
                parts.append("no \(side.rawValue): no private mount namespace for its certificate authority here")
                continue
            }
            let figures = [
                ("cpuPer10k", cpu), ("p50", p50), ("p99", p99), ("switches", switches), ("rssMiB", peak),
                ("connections", results[side]?.compactMap(\.connectionCount).median),
                ("grown MiB", results[side]?.compactMap(\.grownMiB).median),
                ("written bytes each", results[side]?.compactMap(\.writtenBytesEach).median),
            ].compactMap { figure in figure.1.map { (figure.0, $0) } }
            let words = figures.map { "\($0.0) \($0.1.rounded(toDigits: 3))" }
            parts.append("\(side.rawValue): \(words.joined(separator: ", "))")
        }
        if let alone = results[.ours]?.compactMap(\.pipelineMicroseconds).median {
            parts.append("over an executor that answers from memory a call takes \(alone.rounded(toDigits: 3)) µs")
        }
        return (parts + codingNotes + writingNotes).joined(separator: "; ")
    }

    private var codingNotes: [String] {
        guard let coding = results[.ours]?.compactMap(\.codingMicroseconds).median else { return [] }
        let microseconds = coding.rounded(toDigits: 3)
        switch scenario.coding {
        case .added:
            guard let ours = median(.ours, rate), let floor = median(.floor, { 1 / (1 / rate($0) - coding / 1e6) })
            else { return [] }
            let alone = (ours / floor).rounded(toDigits: 3)
            return ["coding \(microseconds) µs, in ours and added to the floor; to the floor without it \(alone)"]
        case .shared:
            guard let ours = median(.ours, rate), let floor = floorAlone.median else { return [] }
            let alone = (ours / floor).rounded(toDigits: 3)
            return ["encoding \(microseconds) µs, in ours and shared by the floor; to the floor without it \(alone)"]
        case .counted: return ["encoding \(microseconds) µs, in ours"]
        }
    }

    private var writingNotes: [String] {
        guard let ours = results[.ours] else { return [] }
        var notes: [String] = []
        if let commits = ours.compactMap({ $0.commits.map(Double.init) }).median {
            notes.append("transactions \(commits.rounded(toDigits: 4))")
        }
        if let written = ours.compactMap(\.writtenBytesEach).median, written > 0,
            let size = median(.ours, { Double($0.bytes) / Double($0.requests) })
        {
            notes.append(
                "ours writes \(written.rounded(toDigits: 4)) bytes each, of payloads of \(size.rounded(toDigits: 7))"
            )
        }
        return notes
    }
}

extension SideResult {
    fileprivate var cpuPer10k: Double { cpuSeconds / Double(requests) * 10_000 }
    fileprivate var connectionCount: Double? { connections.map(Double.init) }
    fileprivate var switchesPerRequest: Double { Double(switches) / Double(requests) }
    fileprivate var writtenBytesEach: Double? { writtenBytes.map { Double($0) / Double(requests) } }
    fileprivate var writtenShare: Double? { writtenBytes.map { Double($0) / Double(bytes) } }

    /// Has each request taken so much more of the processor, on two threads that share everything as well as can be.
    fileprivate mutating func share(microsecondsEach time: Double) {
        let more = Double(requests) * time / 1e6
        seconds = max(seconds, (seconds + more) / 2)
        cpuSeconds += more
    }

    /// Has each request taken so much longer, on the processor too.
    fileprivate mutating func add(microsecondsEach time: Double) {
        let more = Double(requests) * time / 1e6
        seconds += more
        cpuSeconds += more
    }
}
