/// Scenarios that belong together, by the word for them on the command line.
enum Area: String, CaseIterable, Sendable {
    case cache
    case http
    case json
    case library
    case tls

    /// The scenarios, in the order they are run in.
    var scenarios: [Scenario] {
        switch self {
        case .cache: Scenario.cache
        case .http: Scenario.http
        case .json: Scenario.json
        case .library: Scenario.library
        case .tls: Scenario.tls
        }
    }

    /// Sets up what some of the scenarios are run on.
    func stage(for scenarios: [Scenario], quick: Bool) throws(BenchError) -> any Stage {
        switch self {
        case .cache: try CacheStage()
        case .json: try JSONStage(for: scenarios, quick: quick)
        case .library: try LibraryStage()
        case .http, .tls: try HTTPStage(for: scenarios, quick: quick)
        }
    }
}
