import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("The state of the activity")
struct ActivityStateTests {
    private func state() -> ActivityState {
        ActivityState(startDelay: .seconds(5), stopDelay: .seconds(2))
    }

    @Test("shows a call that lasts, from the end of the start delay to the end of the stop delay")
    func longCall() {
        var state = state()
        state.begin(at: .seconds(10))
        #expect(!state.isActive(at: .milliseconds(14_999)))
        #expect(state.isActive(at: .seconds(15)))
        state.end(at: .seconds(20))
        #expect(state.isActive(at: .milliseconds(21_999)))
        #expect(!state.isActive(at: .seconds(22)))
    }

    @Test("does not show a quick call")
    func quickCall() {
        var state = state()
        state.begin(at: .seconds(10))
        state.end(at: .seconds(14))
        #expect(!state.isActive(at: .seconds(100)))
        #expect(state.turn == nil)
    }

    @Test("does not show a short pause")
    func shortPause() {
        var state = state()
        state.begin(at: .seconds(10))
        state.end(at: .seconds(20))
        state.begin(at: .seconds(21))
        #expect(state.isActive(at: .seconds(30)))
        #expect(state.turn == nil)
    }

    @Test("counts calls that overlap as one stretch")
    func overlap() {
        var state = state()
        state.begin(at: .seconds(10))
        state.begin(at: .seconds(14))
        state.end(at: .milliseconds(14_500))
        #expect(state.isActive(at: .seconds(15)))
        #expect(state.callsInFlight == 1)
        state.end(at: .seconds(16))
        state.end(at: .seconds(17))
        #expect(state.callsInFlight == 0)
        #expect(!state.isActive(at: .seconds(18)))
    }
}

@Suite("The activity counter")
struct NetworkActivityTests {
    @Test("tells an observer of each change, the first state first", .timeLimit(.minutes(1)))
    func tells() async throws {
        let activity = NetworkActivity(startDelay: .zero, stopDelay: .zero, time: JumpingTime())
        var changes = activity.changes.makeAsyncIterator()
        #expect(await changes.next() == false)
        let executor = ClosureExecutor { (_) async throws(RepositoryError) in .answer(204) }
        let repository = AbstractRepository(
            configuration: .test {
                $0.activity = activity
                $0.interceptor = ActivityReader(activity: activity)
            },
            executor: executor
        )
        try await repository.perform(Request<Void>.get("volumes")).get()
        #expect(await changes.next() == false)
        #expect(activity.callsInFlight == 0)
        #expect(!activity.isActive)
    }

    @Test("wakes its observers when a delay is over", .timeLimit(.minutes(1)))
    func wakes() async throws {
        let activity = NetworkActivity(startDelay: .seconds(5), stopDelay: .seconds(2), time: JumpingTime())
        var changes = activity.changes.makeAsyncIterator()
        #expect(await changes.next() == false)
        activity.begin()
        #expect(await changes.next() == true)
        #expect(activity.isActive)
        activity.end()
        #expect(await changes.next() == false)
    }

    @Test("counts every call down again, cancelled and failed ones too", .timeLimit(.minutes(1)))
    func counts() async throws {
        let activity = NetworkActivity(startDelay: .zero, stopDelay: .zero)
        let executor = ClosureExecutor { (request) async throws(RepositoryError) in
            await Task.yield()
            if request.url.path().hasSuffix("3") { throw .connectionLost(mayHaveBeenProcessed: true) }
            return .answer(204)
        }
        let repository = AbstractRepository(configuration: .test { $0.activity = activity }, executor: executor)
        await withTaskGroup { group in
            for number in 0..<400 {
                group.addTask {
                    if number % 7 == 0 { withUnsafeCurrentTask { $0?.cancel() } }
                    _ = await repository.perform(Request<Void>.get("volumes/\(number)"))
                }
            }
        }
        #expect(activity.callsInFlight == 0)
        var changes = activity.changes.makeAsyncIterator()
        #expect(await changes.next() == false)
    }

    @Test("ends its streams with itself", .timeLimit(.minutes(1)))
    func ends() async {
        var activity: NetworkActivity? = NetworkActivity(time: JumpingTime())
        let changes = activity?.changes
        activity = nil
        var states: [Bool] = []
        if let changes { for await state in changes { states.append(state) } }
        #expect(states == [false])
    }
}

/// Reads the counter while a call is under way.
private struct ActivityReader: RequestInterceptor {
    let activity: NetworkActivity

    func willSend(_ request: inout HTTPRequest) async throws(RepositoryError) {
        #expect(activity.callsInFlight == 1)
        #expect(activity.isActive)
    }
}
