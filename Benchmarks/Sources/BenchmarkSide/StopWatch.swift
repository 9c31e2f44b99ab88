/// Runs a workload's requests and measures them, the same way for each Swift side.
public struct StopWatch: Sendable {
    /// Makes the request of a number, counted from 0; returns the bytes of its body, throws unless all of it was right.
    public typealias Exchange = @Sendable (_ number: Int) async throws -> Int

    private let workload: Workload
    private let exchange: Exchange

    /// Makes a stop-watch for a workload whose requests `exchange` makes.
    public init(_ workload: Workload, exchange: @escaping Exchange) {
        self.workload = workload
        self.exchange = exchange
    }

    /// Warms up, then measures; every request must bring the body that was promised.
    public func run() async throws -> SideResult {
        var first = 0
        if workload.warmUp > 0 {
            // The first alone, so that HTTP/2 finds a connection to share.
            _ = try await requests(1, from: 0, concurrency: 1)
            _ = try await requests(workload.warmUp, from: 1, concurrency: workload.concurrency)
            first = 1 + workload.warmUp
        }
        let span = Span()
        let latencies = try await requests(workload.requests, from: first, concurrency: workload.concurrency)
        var result = span.result(of: latencies, bytes: workload.bodyBytes)
        result.connections = workload.port.map(Connections.count)
        return result
    }

    /// Makes `count` requests by `concurrency` workers; returns how long each took, in nanoseconds.
    private func requests(_ count: Int, from first: Int, concurrency: Int) async throws -> [UInt64] {
        let exchange = exchange
        let bodyBytes = workload.bodyBytes
        return try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for worker in 0..<concurrency {
                let share = count / concurrency + (worker < count % concurrency ? 1 : 0)
                group.addTask {
                    var latencies: [UInt64] = []
                    latencies.reserveCapacity(share)
                    for turn in 0..<share {
                        let start = monotonicNanoseconds()
                        let bytes = try await exchange(first + worker + turn * concurrency)
                        latencies.append(monotonicNanoseconds() - start)
                        guard bytes == bodyBytes else { throw WrongBody(expected: bodyBytes, found: bytes) }
                    }
                    return latencies
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }
}

/// A body of another size than it must have.
public struct WrongBody: Error {
    private let expected: Int
    private let found: Int

    /// Says so.
    public init(expected: Int, found: Int) {
        self.expected = expected
        self.found = found
    }
}
