import FoundationEssentials
import MastheadLock
import Synchronization

/// Turns one encoded request into one checked response.
///
/// Exchanges of an equal ``TrustPolicy`` and an equal ``TransportRoute`` share one thread, its connections and its TLS
/// sessions in the whole process; those that read or write files share a second one, which a slow disk may hold up.
/// Cancelling the task ends the exchange at once, also while a name is looked up.
package struct Transport: Sendable {
    private static let lastID = Atomic<UInt64>(0)

    private let loops: LoopFinder

    /// Makes a transport.
    ///
    /// The first exchange of a policy and a route starts its loop, and says how long that keeps its thread and connections
    /// idle, and how long at most a caller's thread waits for an answer that is about to come (see ``AnswerPace``); zero is
    /// never. One that is used for many exchanges `remembersLoop`.
    package init(
        policy: TrustPolicy = TrustPolicy(),
        route: TransportRoute = TransportRoute(),
        idleLifetime: Duration = .seconds(60),
        longestWait: Duration = AnswerPace.usualWait,
        remembersLoop: Bool = false
    ) {
        loops = LoopFinder(
            policy: policy,
            route: route,
            idleLifetime: idleLifetime,
            longestWait: longestWait,
            remembers: remembersLoop
        )
    }

    /// Makes one exchange and brings the whole answer; redirects are answers like any other.
    package func perform(
        _ request: TransportRequest,
        clock: any TransportClock = SystemTransportClock()
    ) async throws(TransportError) -> TransportResponse {
        let loop = loop(request.body?.readsFiles ?? false ? .files : .exchanges)
        let transfer = try makeTransfer(request, .whole, clock)
        let response = try await run(transfer, on: loop).response()
        let codings = try response.bodyCodings(for: request)
        if codings.isEmpty { return response }
        return try await response.decoded(codings, limit: request.limits.maximumBodySize)
    }

    /// Makes one exchange and brings the head of the answer; the body comes as it is asked for.
    ///
    /// The deadlines of the request hold until the body has ended. Letting go of the stream ends the exchange.
    package func open(
        _ request: TransportRequest,
        clock: any TransportClock = SystemTransportClock()
    ) async throws(TransportError) -> TransportStream {
        let loop = loop(request.body?.readsFiles ?? false ? .files : .exchanges)
        let channel = BodyChannel()
        let transfer = try makeTransfer(request, .channel(channel), clock)
        let stopObserving = clock.onTurn { loop.checkDeadlines() }
        channel.onRoom { loop.resume(transfer) }
        // Owned from the start, so that a task that is cancelled between head and body leaves nothing behind.
        let exchange = OpenExchange {
            stopObserving()
            loop.cancel(transfer)
            channel.close()
        }
        let response = try await answer(to: transfer, on: loop).response()
        return try TransportStream(response, channel: channel, exchange: exchange, request: request)
    }

    /// Makes one exchange and writes the body of its answer into a file, if the target wants it there.
    ///
    /// - Returns: The answer; its body is empty if it went into the file. In either case its codings are undone.
    package func download(
        _ request: TransportRequest,
        into target: FileTarget,
        clock: any TransportClock = SystemTransportClock()
    ) async throws(TransportError) -> TransportResponse {
        let isCancelled = Lock(false)
        var target = target
        target.isUnwanted = { isCancelled.withLock { $0 } }
        let transfer = try makeTransfer(request, .file(target), clock)
        let result: Result<ReceivedAnswer, TransportError> = await withTaskCancellationHandler {
            do throws(TransportError) {
                return .success(try await run(transfer, on: loop(.files)))
            } catch {
                return .failure(error)
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
        let response = try result.get().response()
        let codings = try response.bodyCodings(for: request)
        return codings.isEmpty ? response : try await response.decoded(codings, limit: request.limits.maximumBodySize)
    }

    /// What the loops of this policy and route hold, after all that was asked of them before.
    package func counts() async -> TransportCounts {
        let exchanges = await loop(.exchanges).counts()
        let files = await loop(.files).counts()
        return TransportCounts(
            active: exchanges.active + files.active,
            waiting: exchanges.waiting + files.waiting,
            pooled: exchanges.pooled + files.pooled,
            waits: exchanges.waits + files.waits
        )
    }

    private func loop(_ purpose: LoopKey.Purpose) -> TransferLoop {
        loops.loop(purpose)
    }

    private func makeTransfer(
        _ request: TransportRequest,
        _ delivery: Delivery,
        _ clock: any TransportClock
    ) throws(TransportError) -> Transfer {
        if let failure = CurlGlobal.failure { throw .setup(failure) }
        guard !Task.isCancelled else { throw .cancelled }
        let id = Self.lastID.add(1, ordering: .relaxed).newValue
        return try Transfer(id: id, request: request, delivery: delivery, clock: clock)
    }

    /// Runs an exchange whose end is all that is waited for.
    private func run(_ transfer: Transfer, on loop: TransferLoop) async throws(TransportError) -> ReceivedAnswer {
        let stopObserving = transfer.clock.onTurn { loop.checkDeadlines() }
        defer { stopObserving() }
        return try await answer(to: transfer, on: loop)
    }

    private func answer(
        to transfer: Transfer,
        on loop: TransferLoop
    ) async throws(TransportError) -> ReceivedAnswer {
        if case .stream(let pipe, _) = transfer.request.body { pipe.onReady { loop.resume(transfer) } }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { loop.submit(transfer, $0) }
        } onCancel: {
            loop.cancel(transfer)
        }
        return try outcome.get()
    }
}
