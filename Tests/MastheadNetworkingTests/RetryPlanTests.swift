import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("The plan of retries")
struct RetryPlanTests {
    private static func request(_ method: HTTPMethod = .get, key: String? = nil) -> HTTPRequest {
        var request = HTTPRequest(method: method, url: URL(filePath: "/nowhere"))
        request.headers["Idempotency-Key"] = key
        return request
    }

    private func wait(
        _ plan: inout RetryPlan?,
        after outcome: Result<HTTPResponse, RepositoryError>,
        to request: HTTPRequest = request(),
        fraction: Double = 0.5
    ) -> Duration? {
        plan?.wait(after: outcome, to: request, at: Date(timeIntervalSince1970: 1_700_000_000), fraction: { fraction })
    }

    @Test("there is none for a policy that never sends again")
    func never() {
        #expect(RetryPlan(.never) == nil)
        #expect(RetryPlan(.standard) != nil)
    }

    private static let nothingWasSent: [RepositoryError] = [
        .noNetworkConnection, .dns(host: "h"), .refused(host: "h"), .tls(reason: "x"), .timeout(.connect),
    ]
    private static let mayHaveActed: [RepositoryError] = [
        .connectionLost(mayHaveBeenProcessed: true), .incompleteBody(received: 1, expected: 2),
        .corruptBody(reason: "x"), .timeout(.idle),
    ]
    private static let final: [RepositoryError] = [
        .cancelled, .timeout(.total), .timeout(.queue), .bodyTooLarge(limit: 1), .invalidURL(reason: "x"),
        .invalidRequest(reason: "x"), .invalidResponse(reason: "x"), .invalidConfiguration(reason: "x"),
        .bodyNotReplayable, .tooManyRedirects(limit: 1), .pinMismatch(PinMismatch(host: "h", expected: [])),
        .circuitOpen(host: "h", retryAfter: .zero), .customError(Refused()), .requestError(ResponseError(status: 503)),
    ]

    @Test("sends anything again of which nothing was sent", arguments: nothingWasSent)
    func repeatsUnsent(error: RepositoryError) {
        for method in [HTTPMethod.get, .post, .patch, "PURGE"] {
            var plan = RetryPlan(.standard)
            #expect(wait(&plan, after: .failure(error), to: Self.request(method)) != nil)
        }
    }

    @Test("sends again what may be done twice, and nothing else", arguments: mayHaveActed)
    func repeatsSafe(error: RepositoryError) {
        let methods: [(HTTPMethod, Bool)] = [
            (.get, true), (.head, true), (.options, true), ("TRACE", true), (.put, true), (.delete, true),
            (.post, false), (.patch, false), ("PURGE", false), ("get", false),
        ]
        for (method, isIdempotent) in methods {
            for (key, isKey) in [(nil, false), ("", false), ("7", true)] {
                var plan = RetryPlan(.standard)
                let request = Self.request(method, key: key)
                let repeats = wait(&plan, after: .failure(error), to: request) != nil
                #expect(repeats == (isIdempotent || isKey), "\(method) \(key ?? "without a key")")
            }
        }
    }

    @Test("takes anything else for final", arguments: final)
    func keepsFinal(error: RepositoryError) {
        var plan = RetryPlan(.standard)
        #expect(wait(&plan, after: .failure(error), to: Self.request(key: "7")) == nil)
    }

    @Test("asks again for the statuses of the policy, if the request may be sent twice")
    func repeatsStatuses() {
        for status in 100..<600 {
            var plan = RetryPlan(.standard)
            var other = RetryPlan(.standard)
            let isListed = [408, 425, 429, 502, 503, 504].contains(status)
            #expect((wait(&plan, after: .success(.answer(status))) != nil) == isListed, "\(status)")
            #expect(wait(&other, after: .success(.answer(status)), to: Self.request(.post)) == nil)
        }
        var own = RetryPlan(RetryPolicy(statuses: [500], idempotencyKeyHeader: "X-Once"))
        var request = Self.request(.post)
        request.headers["X-Once"] = "7"
        #expect(wait(&own, after: .success(.answer(500)), to: request) != nil)
        #expect(wait(&own, after: .success(.answer(503)), to: request) == nil)
    }

    @Test("makes as many attempts as it may", arguments: [2, 3, 10])
    func countsAttempts(maximum: Int) {
        var plan = RetryPlan(RetryPolicy(maximumAttempts: maximum))
        let waits = (0..<20).map { _ in wait(&plan, after: .failure(.connectionLost(mayHaveBeenProcessed: true))) }
        #expect(waits.prefix { $0 != nil }.count == maximum - 1)
        #expect(waits.count { $0 != nil } == maximum - 1)
    }

    @Test("doubles the room for chance with each attempt, up to the longest wait")
    func backsOff() {
        for (fraction, factor) in [(0.0, 0.0), (0.5, 0.5), (0.999, 0.999)] {
            var plan = RetryPlan(RetryPolicy(maximumAttempts: 100))
            for limit in [0.5, 1, 2, 4, 8, 16, 30, 30] + Array(repeating: 30.0, count: 80) {
                let wait = wait(&plan, after: .failure(.connectionLost(mayHaveBeenProcessed: true)), fraction: fraction)
                #expect(wait == .seconds(limit) * factor)
            }
        }
    }

    @Test("a random fraction is at least 0 and less than 1")
    func fractions() {
        var plan = RetryPlan(RetryPolicy(maximumAttempts: 10, baseDelay: .seconds(1), maximumDelay: .seconds(1)))
        for (bits, isZero) in [(UInt64.min, true), (UInt64.max, false)] {
            let configuration = NetworkingConfiguration.test { $0.randomBits = { bits } }
            let wait = plan?.wait(
                after: .failure(.connectionLost(mayHaveBeenProcessed: true)),
                to: Self.request(),
                at: Date(),
                fraction: configuration.randomFraction
            )
            #expect(wait.map { ($0 == .zero) == isZero && $0 <= .seconds(1) } == true)
        }
    }
}

private struct Refused: CustomRepositoryError {}
