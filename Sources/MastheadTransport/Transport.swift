import MastheadLock

/// Turns one encoded request into one whole, checked response.
///
/// Exchanges of an equal ``TrustPolicy`` share one thread, its connections and its TLS sessions in the whole process.
/// Cancelling the task ends the exchange at once, also while a name is looked up.
package struct Transport: Sendable {
    private static let lastID = Lock<UInt64>(0)

    private let policy: TrustPolicy
    private let idleLifetime: Duration

    /// Makes a transport.
    ///
    /// The first exchange of a policy starts its loop, and says how long that keeps its thread and connections idle.
    package init(policy: TrustPolicy = TrustPolicy(), idleLifetime: Duration = .seconds(60)) {
        self.policy = policy
        self.idleLifetime = idleLifetime
    }

    /// Makes one exchange; redirects are answers like any other.
    package func perform(
        _ request: TransportRequest,
        clock: any TransportClock = SystemTransportClock()
    ) async throws(TransportError) -> TransportResponse {
        if let failure = CurlGlobal.failure { throw .setup(failure) }
        guard !Task.isCancelled else { throw .cancelled }
        let id = Self.lastID.withLock { last in
            last += 1
            return last
        }
        let loop = LoopRegistry.shared.loop(for: policy, idleLifetime: idleLifetime)
        let transfer = try Transfer(id: id, request: request, clock: clock)
        let stopObserving = clock.onTurn { loop.checkDeadlines() }
        defer { stopObserving() }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { loop.submit(transfer, $0) }
        } onCancel: {
            loop.cancel(transfer)
        }
        return try await outcome.get().response().decoded(for: request)
    }

    /// What the loop of this policy holds, after all that was asked of it before.
    package func counts() async -> TransportCounts {
        await LoopRegistry.shared.loop(for: policy, idleLifetime: idleLifetime).counts()
    }
}
