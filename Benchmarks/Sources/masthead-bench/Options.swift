/// What was asked for on the command line.
struct Options {
    static let usage = """
        usage: script/bench AREA [SCENARIO …] [--pairs N] [--judge] [--quick]

        Prints one line of JSON for each scenario of AREA (or those named, with or without the area), on standard output.

        areas:     \(Area.allCases.map { $0.rawValue }.joined(separator: ", "))
        --pairs N  how often each side is run, in turn, each time as a new process; 5 if not given, 15 with --judge
        --judge    says on standard error which bars were met, and fails unless all were
        --quick    each side once with few requests: checks that everything works, measures nothing
        """

    var area: Area
    var scenarios: [Scenario]
    var pairs = 5
    var judge = false
    var quick = false

    /// Reads the arguments; the error says what is wrong with them.
    init(_ arguments: [String]) throws(BenchError) {
        var words: [String] = []
        var pairs: Int?
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--quick":
                quick = true
            case "--pairs":
                guard let count = rest.popFirst().flatMap({ Int($0) }), (1...1000).contains(count) else {
                    throw BenchError("--pairs takes a number from 1 to 1000")
                }
                pairs = count
            case "--judge":
                judge = true
            default:
                guard !argument.hasPrefix("-") else { throw BenchError("no such option: \(argument)") }
                words.append(argument)
            }
        }
        guard !judge || !quick else { throw BenchError("--quick measures nothing, so there is nothing to judge") }
        guard let area = words.first.flatMap({ Area(rawValue: $0) }) else {
            throw BenchError("no such area: \(words.first ?? "(none given)")")
        }
        self.area = area
        scenarios = area.scenarios
        // A scenario's name need not begin with that of its area: "https.cold64" is one of "http".
        let wanted = words.dropFirst().map { $0.contains(".") ? $0 : "\(area.rawValue).\($0)" }
        if let unknown = wanted.first(where: { name in !scenarios.contains { $0.name == name } }) {
            let names = scenarios.map(\.name).joined(separator: ", ")
            throw BenchError("no such scenario: \(unknown); there are \(names)")
        }
        if !wanted.isEmpty { scenarios.removeAll { !wanted.contains($0.name) } }
        if judge { self.pairs = 15 }
        if let pairs { self.pairs = pairs }
        if quick { self.pairs = 1 }
        if quick { scenarios = scenarios.map(\.quick) }
    }
}

extension Scenario {
    /// The same with as few requests as will do to see it work.
    fileprivate var quick: Scenario {
        var quick = self
        quick.warmUp = min(warmUp, concurrency)
        quick.entries = min(entries, 1000)
        for side in parts.keys { quick.parts[side]?.requests.limit(to: max(20, concurrency)) }
        quick.voidBelow = nil
        quick.note = "QUICK, no measurement; " + note
        return quick
    }
}

extension Int {
    fileprivate mutating func limit(to most: Int) {
        self = Swift.min(self, most)
    }
}
