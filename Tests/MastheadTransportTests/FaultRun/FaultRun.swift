import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import MastheadTransport

/// Many calls at once to a server that deals each request a fault, at random with a fixed seed.
///
/// Stalls are ended by the clock alone: it is turned when every call that is under way has been dealt one.
final class FaultRun: Sendable {
    static let maximumBodySize = 400_000
    static let concurrency = 64

    /// What became of one call.
    struct Record: Sendable {
        let method: HTTPMethod
        /// The fault of each request that reached the server, in order.
        var dealt: [Fault] = []
        var endings: [Ending] = []
    }

    private struct State {
        var next = 0
        var records: [Int: Record] = [:]
        var underWay: Set<Int> = []
        var stalled: Set<Int> = []
        var problems: [String] = []
    }

    let clock = ManualClock()
    private let count: Int
    private let seed: UInt64
    private let gate = ScriptedServer.Gate()
    private let state = Lock(State())
    private let moves: AsyncStream<Void>
    private let move: AsyncStream<Void>.Continuation

    init(count: Int, seed: UInt64) {
        self.count = count
        self.seed = seed
        (moves, move) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Ends the turning of the clock.
    func finish() { move.finish() }

    var records: [Int: Record] { state.withLock { $0.records } }

    /// What the server found wrong with the requests.
    var problems: [String] { state.withLock { $0.problems } }

    // MARK: The calls

    /// The number of the next call; `nil` once there were enough.
    func begin() -> Int? {
        state.withLock { state in
            guard state.next < count else { return nil }
            defer { state.next += 1 }
            state.records[state.next] = Record(method: method(of: state.next))
            state.underWay.insert(state.next)
            return state.next
        }
    }

    func end(_ number: Int, _ result: Result<HTTPResponse, RepositoryError>) {
        let ending = Ending(result, rightAnswer: rightAnswer(number))
        state.withLock { state in
            state.records[number]?.endings.append(ending)
            state.underWay.remove(number)
            state.stalled.remove(number)
        }
        move.yield()
    }

    func request(_ number: Int) -> Request<HTTPResponse> {
        let body = RequestBody.data(body(of: number), contentType: nil)
        return switch method(of: number) {
        case .put: .put("calls/\(number)", body: body)
        case .post: .post("calls/\(number)", body: body)
        case .delete: .delete("calls/\(number)")
        default: .get("calls/\(number)")
        }
    }

    private func method(of number: Int) -> HTTPMethod {
        [.get, .post, .get, .put, .get, .delete, .post, .get][number % 8]
    }

    private func rightAnswer(_ number: Int) -> String { "the right answer to call \(number)" }

    /// Mostly small; now and then more than the buffers between client and server hold at once.
    private func body(of number: Int) -> Data {
        guard [.put, .post].contains(method(of: number)) else { return Data() }
        return Data(
            repeating: UInt8(truncatingIfNeeded: number),
            count: number % 5 == 0 ? 2_000_000 : 1 + number % 3000
        )
    }

    // MARK: The server

    /// Deals a request its fault, once: when its head has come if the fault concerns its body, else when it is whole.
    func answer(_ request: ScriptedServer.ReceivedRequest, isWhole: Bool) -> ScriptedServer.Answer? {
        guard let number = Int(request.path.split(separator: "/").last ?? "") else { return nil }
        if isWhole, request.bodyLength != body(of: number).count || request.method != method(of: number).rawValue {
            state.withLock { $0.problems.append("\(request.method) \(number) came with \(request.bodyLength) bytes") }
        }
        let fault: Fault? = state.withLock { state in
            let fault = draw(for: number, attempt: state.records[number]?.dealt.count ?? 0)
            // Left to the second question.
            guard isWhole || fault.isEarly else { return nil }
            state.records[number]?.dealt.append(fault)
            if fault.isStall, state.underWay.contains(number) { state.stalled.insert(number) }
            return fault
        }
        if fault?.isStall == true { move.yield() }
        return fault?.answer(rightAnswer(number), gate: gate)
    }

    private func draw(for number: Int, attempt: Int) -> Fault {
        // SplitMix64, seeded anew for each request, so that the order in which they come changes nothing.
        var state = seed &+ UInt64(number * 4 + attempt) &* 0x9E37_79B9_7F4A_7C15
        state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
        state ^= state >> 31
        // Every second request is left in peace.
        let index = Int(state % UInt64(2 * Fault.allCases.count))
        return index < Fault.allCases.count ? Fault.allCases[index] : .none
    }

    // MARK: The clock

    /// Turns the clock whenever nothing else can go on, until ``finish()``.
    func turnClock(_ timeout: Duration, _ transport: Transport) async {
        for await _ in moves {
            // What was sent before a stall may reach its client after the turn, and begin the time-out anew.
            while turnIfAllStalled(timeout) { _ = await transport.counts() }
        }
    }

    private func turnIfAllStalled(_ timeout: Duration) -> Bool {
        state.withLock { state in
            guard !state.underWay.isEmpty, state.stalled.isSuperset(of: state.underWay) else { return false }
            // Under the lock, so that no call begins between the look and the turn.
            clock.advance(by: timeout)
            return true
        }
    }
}

/// Counts how often each call was told of as over.
final class EndCounter: NetworkObserver {
    private let state = Lock((started: 0, ends: [Int: Int]()))

    func observe(_ event: NetworkEvent) {
        state.withLock { state in
            switch event.kind {
            case .callStarted: state.started += 1
            case .callFinished: state.ends[event.call, default: 0] += 1
            default: break
            }
        }
    }

    var started: Int { state.withLock { $0.started } }
    /// The calls that ended once.
    var ended: Int { state.withLock { $0.ends.values.count { $0 == 1 } } }
}

/// The run's clock, keeping a token alive for as long as an exchange holds it.
struct ClockWithToken: TimeSource {
    let clock: ManualClock
    let token: WeakProbes.Token

    var now: Duration { clock.now }
    var date: Date { clock.date }

    func sleep(until deadline: Duration) async throws(CancellationError) { try await clock.sleep(until: deadline) }

    func onTurn(_ action: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        let stop = clock.onTurn(action)
        return { [token] in withExtendedLifetime(token) { stop() } }
    }
}
