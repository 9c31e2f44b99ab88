import BenchmarkSide

/// Everything that the scenarios of an area are run on.
protocol Stage: AnyObject {
    /// Whether a side can take part on this machine.
    func canRun(_ side: Scenario.Side, of scenario: Scenario) -> Bool

    /// Runs a side in a process of its own, and looks at what came of its work.
    func run(_ part: Scenario.Part, as side: Scenario.Side, of scenario: Scenario) throws(BenchError) -> SideResult
}
