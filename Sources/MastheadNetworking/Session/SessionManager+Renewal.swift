import FoundationEssentials
import MastheadLock

extension SessionManager {
    /// How long after a renewal that failed nobody is asked for another.
    private static var pauseAfterFailure: Duration { .seconds(1) }

    /// What is to be done once the lock is open.
    private enum Entry: Sendable {
        case over(SessionRenewal)
        case waits
        case starts(flight: Int, SessionCredentials, any TokenRefresher)
    }

    /// Gets a new token, together with all other calls that want one: see <doc:KeepingASession>.
    public func renewal(
        of grant: SessionGrant,
        isRefused: Bool,
        by deadline: Duration?,
        on clock: any TimeSource
    ) async -> SessionRenewal {
        let id = ledger.withLock { $0.makeID() }
        var alarm: Task<Void, any Error>?
        defer { alarm?.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = SessionLedger<User>.Waiter(isRefused: isRefused, continuation: continuation)
                switch change({ enter(&$0, id, waiter, grant) }) {
                case .over(let renewal):
                    continuation.resume(returning: renewal)
                    return
                case .waits: break
                case .starts(let flight, let credentials, let refresher): start(flight, credentials, refresher)
                }
                // Not before it is among those who wait: it would find nobody to wake.
                alarm = deadline.map { deadline in
                    Task {
                        try await clock.sleep(until: deadline)
                        change { $0.leave(id, with: .timeout(.total)) }
                    }
                }
            }
        } onCancel: {
            change { $0.leave(id, with: .cancelled) }
        }
    }

    private func enter(
        _ ledger: inout SessionLedger<User>,
        _ id: Int,
        _ waiter: SessionLedger<User>.Waiter,
        _ refused: SessionGrant
    ) -> Entry {
        // A cancellation that came before this point found nobody to wake; one that comes after it will.
        if Task.isCancelled { return .over(.failed(.cancelled)) }
        guard let grant = ledger.grant(at: time), let credentials = ledger.credentials,
            grant.session == refused.session
        else { return .over(.ended) }
        // Late: there is a newer one already.
        guard grant.generation == refused.generation else { return .over(.renewed(grant)) }
        guard let refresher else {
            guard waiter.isRefused else { return .over(.renewed(grant)) }
            ledger.end(as: .expired)
            keeper.keep(nil, isAwaited: false)
            return .over(.refused)
        }
        if let failure = ledger.failure, failure.generation == grant.generation, time.now < failure.end {
            let isUsable = !waiter.isRefused && !ledger.hasEnded(at: time.date)
            return .over(isUsable ? .renewed(grant) : .failed(failure.error))
        }
        return ledger.wait(id, waiter).map { .starts(flight: $0, credentials, refresher) } ?? .waits
    }

    private func start(_ flight: Int, _ credentials: SessionCredentials, _ refresher: any TokenRefresher) {
        let end = time.now + refreshTimeout
        let work = Task {
            do throws(TokenRefreshError) {
                land(flight, .success(try await refresher.refresh(credentials)))
            } catch {
                land(flight, .failure(error))
            }
        }
        let alarm = Task {
            guard (try? await time.sleep(until: end)) != nil else { return }
            lapse(flight)
            guard (try? await time.sleep(until: end + refreshTimeout)) != nil else { return }
            land(flight, .failure(.failed(.timeout(.total))))
        }
        change { $0.attach([work, alarm], to: flight) }
    }

    /// Lets nobody wait any longer for a renewal that goes on: the server may have replaced the refresh token already, and
    /// a second renewal beside it would ask with the old one.
    private func lapse(_ flight: Int) {
        change { ledger in
            guard ledger.flight?.id == flight else { return }
            ledger.fail(with: .timeout(.total), until: time.now + Self.pauseAfterFailure, at: time, goesOn: true)
        }
    }

    /// Takes in what a renewal came to, unless its flight is over: the session has ended, its credentials were replaced, or
    /// it took twice as long as it is waited for.
    private func land(_ flight: Int, _ outcome: Result<SessionCredentials, TokenRefreshError>) {
        change { ledger in
            guard ledger.flight?.id == flight else { return }
            switch outcome {
            case .success(var credentials) where !credentials.accessToken.value.isEmpty:
                credentials.partition = ledger.credentials?.partition
                ledger.renew(credentials, due: dueDate(of: credentials, isRenewed: true), at: time)
                keeper.keep(credentials, isAwaited: false)
            case .success:
                let error = RepositoryError.invalidResponse(reason: "the new access token is empty")
                ledger.fail(with: error, until: time.now + Self.pauseAfterFailure, at: time)
            case .failure(.refused):
                ledger.end(as: .expired, renewal: .refused)
                keeper.keep(nil, isAwaited: false)
            case .failure(.failed(let error)):
                ledger.fail(with: error, until: time.now + Self.pauseAfterFailure, at: time)
            }
        }
    }
}
