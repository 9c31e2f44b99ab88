import MastheadLock

/// What a server has seen.
package final class ServerRecord: Sendable {
    private struct State {
        var requests: [ScriptedServer.ReceivedRequest] = []
        var problems: [String] = []
        var connectionCount = 0
    }

    static let keptRequests = 100_000
    static let keptProblems = 100

    /// Counts the requests.
    package let arrivals = Milestones()
    /// Counts the connections that have ended.
    package let ends = Milestones()

    private let state = Lock(State())

    /// Begins with nothing.
    package init() {}

    var requests: [ScriptedServer.ReceivedRequest] { state.withLock { $0.requests } }
    /// What went wrong; at most the first 100.
    package var problems: [String] { state.withLock { $0.problems } }
    /// How many connections there were.
    package var connectionCount: Int { state.withLock { $0.connectionCount } }

    func request(_ index: Int) -> ScriptedServer.ReceivedRequest? {
        state.withLock { $0.requests.indices.contains(index) ? $0.requests[index] : nil }
    }

    /// Gives a connection its number.
    func addConnection() -> Int {
        state.withLock { state in
            state.connectionCount += 1
            return state.connectionCount - 1
        }
    }

    func add(_ request: ScriptedServer.ReceivedRequest) {
        state.withLock { if $0.requests.count < Self.keptRequests { $0.requests.append(request) } }
        arrivals.change(by: 1)
    }

    package func addProblem(_ problem: String) {
        state.withLock { if $0.problems.count < Self.keptProblems { $0.problems.append(problem) } }
    }

    func end() {
        arrivals.end()
        ends.end()
    }
}
