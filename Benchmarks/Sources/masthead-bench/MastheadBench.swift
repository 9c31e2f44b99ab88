import Glibc

/// Runs the benchmarks of an area: `masthead-bench AREA [SCENARIO …] [--pairs N] [--judge] [--quick]`.
@main
enum MastheadBench {
    static func main() {
        let options: Options
        do {
            options = try Options(Array(CommandLine.arguments.dropFirst()))
        } catch {
            Progress.say("\(error)\n\n\(Options.usage)")
            exit(64)
        }
        Interruption.watch()
        exit(run(options) ? 0 : 1)
    }

    /// Runs the scenarios; returns whether each of them gave its line and, if asked for, met its bars.
    private static func run(_ options: Options) -> Bool {
        var measured: [String: Rounds] = [:]
        do {
            let stage = try options.area.stage(for: options.scenarios, quick: options.quick)
            for scenario in options.scenarios {
                do {
                    let rounds = try Rounds(scenario, pairs: options.pairs, on: stage)
                    let line = rounds.line.json
                    try ScenarioLine.check(line)
                    print(line)
                    fflush(nil)
                    measured[scenario.name] = rounds
                } catch {
                    Progress.say("\(scenario.name): \(error)")
                }
            }
        } catch {
            Progress.say("\(error)")
            return false
        }
        let succeeded = options.scenarios.allSatisfy { measured[$0.name] != nil }
        guard options.judge else { return succeeded }
        let judgement = Judgement(of: options.scenarios, by: measured)
        Progress.say("\n\(judgement.text)")
        return succeeded && judgement.isMet
    }
}
