import BenchmarkSide
import Foundation

/// What the scenarios of `json` are run on: files with JSON, and the servers for the one that fetches.
final class JSONStage: Stage {
    private let workspace: Workspace
    private let programs: String
    private let servers: HTTPStage?

    /// Sets it up for some scenarios.
    init(for scenarios: [Scenario], quick: Bool) throws(BenchError) {
        workspace = try Workspace()
        programs = try Programs.folder()
        let fetches = scenarios.contains { $0.parts.values.contains(where: \.task.isExchange) }
        servers = fetches ? try HTTPStage(for: scenarios, quick: quick) : nil
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .withoutEscapingSlashes
        do {
            try workspace.write(try encoder.encode(ArticleList.sample(count: 1000)), to: "list")
            try workspace.write(try encoder.encode(Entry.sample(count: 1000)), to: "fields")
            try workspace.write(try encoder.encode(Article.long(7)), to: "single")
        } catch {
            throw BenchError("JSON: \(error)")
        }
    }

    func canRun(_ side: Scenario.Side, of scenario: Scenario) -> Bool { scenario.parts[side] != nil }

    func run(_ part: Scenario.Part, as side: Scenario.Side, of scenario: Scenario) throws(BenchError) -> SideResult {
        guard case .json(let task) = part.task else {
            guard let servers else { throw BenchError("\(scenario.name): no servers") }
            return try servers.run(part, as: side, of: scenario)
        }
        let workload = JSONWorkload(
            task: task,
            file: "\(workspace.path)/\(task.rawValue)",
            count: part.requests,
            warmUp: scenario.warmUp
        )
        return try Programs.result(of: ["\(programs)/\(part.program)"] + workload.arguments)
    }
}

extension Scenario.Task {
    fileprivate var isExchange: Bool {
        if case .exchange = self { true } else { false }
    }
}
