/// What a run says of the bars of its scenarios.
struct Judgement {
    /// One bar, and how it was met.
    struct Row {
        let bar: Bar
        let text: String
        let isMet: Bool
    }

    /// A row for each bar of a scenario that was asked for.
    let rows: [Row]

    /// Judges a run; a scenario without rounds has failed.
    init(of scenarios: [Scenario], by rounds: [String: Rounds]) {
        let names = Set(scenarios.map(\.name))
        rows = Bar.all.filter { names.contains($0.scenario) }.map { Self.row($0, rounds[$0.scenario]) }
    }

    /// Whether every bar was met.
    var isMet: Bool { rows.allSatisfy(\.isMet) }

    /// The table.
    var text: String {
        let head = Self.columns("scenario", "measure", "bar", "aim", "measured", "met")
        return ([head] + rows.map(\.text)).joined(separator: "\n")
    }

    private static func row(_ bar: Bar, _ rounds: Rounds?) -> Row {
        let sign = bar.measure.isLessBetter ? "<" : "≥"
        func row(_ value: Double?, _ verdict: String, isMet: Bool) -> Row {
            let text = columns(
                bar.scenario,
                bar.measure.rawValue,
                "\(sign) \(bar.bound.rounded(toDigits: 3))",
                bar.aim?.rounded(toDigits: 3) ?? "",
                value?.rounded(toDigits: 4) ?? "",
                verdict
            )
            return Row(bar: bar, text: text, isMet: isMet)
        }
        guard let rounds else { return row(nil, "no, the scenario failed", isMet: false) }
        guard let value = rounds.value(bar.measure) else { return row(nil, "no, a side is missing", isMet: false) }
        if let reason = rounds.void { return row(value, "VOID, \(reason)", isMet: false) }
        guard bar.isMet(by: value, bound: bar.bound) else { return row(value, "NO", isMet: false) }
        let reachesAim = bar.aim.map { bar.isMet(by: value, bound: $0) } ?? false
        return row(value, reachesAim ? "yes, and the aim" : "yes", isMet: true)
    }

    private static func columns(_ words: String...) -> String {
        let widths = [26, 14, 9, 6, 10]
        let padded = zip(words, widths).map { $0 + String(repeating: " ", count: max(1, $1 - $0.count)) }
        return (padded + words.dropFirst(widths.count)).joined()
    }
}
