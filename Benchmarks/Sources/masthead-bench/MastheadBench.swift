import Glibc

/// Runs the benchmarks of an area: `masthead-bench AREA [SCENARIO …] [--pairs N] [--quick]`.
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

    /// Runs the scenarios; returns whether each of them gave its line.
    private static func run(_ options: Options) -> Bool {
        var succeeded = true
        do {
            let stage = try Stage(for: options.scenarios, quick: options.quick)
            for scenario in options.scenarios {
                do {
                    let line = try Rounds(scenario, pairs: options.pairs, on: stage).line.json
                    try ScenarioLine.check(line)
                    print(line)
                    fflush(nil)
                } catch {
                    Progress.say("\(scenario.name): \(error)")
                    succeeded = false
                }
            }
        } catch {
            Progress.say("\(error)")
            return false
        }
        return succeeded
    }
}
