import FoundationEssentials
import MastheadLock

extension SessionManager {
    /// How long after a renewal that failed nobody is asked for another.
    private static var pauseAfterFailure: Duration { .seconds(1) }

    /// What is to be done once the lock is open.
    private struct Entry: Sendable {
        /// What the call learns at once; `nil` if it waits.
        var renewal: SessionRenewal?
        /// The flight to start.
        var start: (flight: Int, SessionCredentials, any TokenRefresher)?
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
                let entry = change { enter(&$0, id, continuation, grant, isRefused: isRefused) }
                if let (flight, credentials, refresher) = entry.start { start(flight, credentials, refresher) }
                if let renewal = entry.renewal {
                    continuation.resume(returning: renewal)
                    return
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
        _ waiter: CheckedContinuation<SessionRenewal, Never>,
        _ old: SessionGrant,
        isRefused: Bool
    ) -> Entry {
        // A cancellation that came before this point found nobody to wake; one that comes after it will.
        if Task.isCancelled { return Entry(renewal: .failed(.cancelled)) }
        guard let grant = ledger.grant(at: time), let credentials = ledger.credentials, grant.session == old.session
        else { return Entry(renewal: .ended) }
        // Late: there is a newer one already.
        guard grant.generation == old.generation else { return Entry(renewal: .renewed(grant)) }
        guard let refresher else {
            guard isRefused else { return Entry(renewal: .renewed(grant)) }
            expire(&ledger)
            return Entry(renewal: .refused)
        }
        // A token that is only about to end is used as long as it lasts: nobody waits for a token endpoint that hangs.
        let holds = !isRefused && !ledger.hasEnded(at: time.date)
        if let failure = ledger.failure, failure.generation == grant.generation, time.now < failure.end {
            guard !holds else { return Entry(renewal: .renewed(grant)) }
            guard endsSession(failure.error) else { return Entry(renewal: .failed(failure.error)) }
            expire(&ledger)
            return Entry(renewal: .refused)
        }
        var entry = Entry()
        entry.start = ledger.beginFlight().map { ($0, credentials, refresher) }
        if holds { entry.renewal = .renewed(grant) } else { ledger.wait(id, waiter) }
        return entry
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
            fail(&ledger, with: .timeout(.total), goesOn: true)
        }
    }

    /// Whether a call whose token is of no use is to find the session over after a renewal that came to this.
    private func endsSession(_ error: RepositoryError) -> Bool {
        failedRenewal == .endsSession && !error.leavesServerUnasked
    }

    /// Ends the wait for a renewal that failed without a refusal, and the session with it if one waits that it is over for.
    private func fail(_ ledger: inout SessionLedger<User>, with error: RepositoryError, goesOn: Bool = false) {
        if endsSession(error), ledger.isFlightAwaited {
            expire(&ledger)
        } else {
            ledger.fail(with: error, until: time.now + Self.pauseAfterFailure, goesOn: goesOn)
        }
    }

    /// Ends the session since its token cannot be renewed.
    private func expire(_ ledger: inout SessionLedger<User>) {
        ledger.end(as: .expired, renewal: .refused)
        keeper.keep(nil, isAwaited: false)
    }

    /// Takes in what a renewal came to, unless its flight is over: the session has ended, its credentials were replaced, or
    /// it took twice as long as it is waited for.
    private func land(_ flight: Int, _ outcome: Result<SessionCredentials, TokenRefreshError>) {
        change { ledger in
            guard ledger.flight?.id == flight else { return }
            switch outcome {
            case .success(let credentials) where !credentials.accessToken.value.isEmpty:
                ledger.renew(credentials, due: dueDate(of: credentials, isRenewed: true), at: time)
                keeper.keep(ledger.credentials, isAwaited: false)
            case .success:
                fail(&ledger, with: .invalidResponse(reason: "the new access token is empty"))
            case .failure(.refused): expire(&ledger)
            case .failure(.failed(let error)): fail(&ledger, with: error)
            }
        }
    }
}
