import FoundationEssentials
import MastheadLock
import MastheadNetworking
import Testing

@Suite("A cancelled call")
struct CancellationTests {
    /// Where a task cancels itself.
    enum Stage: CaseIterable, Sendable {
        case beforeStart, inInterceptor, inExecutor, afterAnswer, whilePolling, inDidReceive
    }

    private struct Interceptor: RequestInterceptor {
        let stage: Stage

        func willSend(_ request: inout HTTPRequest) async throws(RepositoryError) {
            if stage == .inInterceptor { withUnsafeCurrentTask { $0?.cancel() } }
        }

        func didReceive(_ response: HTTPResponse, for request: HTTPRequest) async {
            if stage == .inDidReceive { withUnsafeCurrentTask { $0?.cancel() } }
        }
    }

    @Test("case 21: fails as cancelled at every stage, once, and goes no further", arguments: Stage.allCases)
    func cancels(stage: Stage) async throws {
        let time = JumpingTime { if stage == .whilePolling { withUnsafeCurrentTask { $0?.cancel() } } }
        let executor = ClosureExecutor { (_) async throws(RepositoryError) in
            if stage == .inExecutor || stage == .afterAnswer { withUnsafeCurrentTask { $0?.cancel() } }
            // An executor may tell of a cancelled exchange by another error.
            if stage == .inExecutor { throw .connectionLost(mayHaveBeenProcessed: true) }
            return stage == .whilePolling ? .answer(202) : .answer(200, body: "no JSON")
        }
        let failures = Lock(0)
        let repository = AbstractRepository(
            configuration: .test {
                $0.time = time
                $0.interceptor = Interceptor(stage: stage)
                $0.onDecodingFailure = { _ in failures.withLock { $0 += 1 } }
            },
            executor: executor
        )

        let error = await Task {
            if stage == .beforeStart { withUnsafeCurrentTask { $0?.cancel() } }
            return await repository.performPolling(Request<Volume>.get("volumes")).failure
        }.value

        guard case .cancelled? = error else {
            Issue.record("expected cancelled at \(stage), got \(String(describing: error))")
            return
        }
        #expect(failures.withLock { $0 } == 0)
        #expect(executor.requests.count == ([.beforeStart, .inInterceptor].contains(stage) ? 0 : 1))
    }
}
