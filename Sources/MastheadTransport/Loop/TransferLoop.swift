import CMastheadCurl
import MastheadLock

/// Drives libcurl for one trust policy, on a thread of its own.
///
/// Callers leave commands in a queue; the thread takes them, moves every transfer, resumes who waits, and sleeps in
/// `curl_multi_poll`. Only the first command after it fell asleep wakes it. With nothing to do for the idle lifetime the
/// thread ends and its connections close; the next exchange starts another.
final class TransferLoop: Sendable {
    private enum Command {
        case start(Transfer)
        case cancel(Transfer)
        case checkDeadlines
        case count(CheckedContinuation<TransportCounts, Never>)
    }

    private struct State {
        var commands: [Command] = []
        var isAsleep = false
        var isStopping = false
        var thread: LoopThread?
        /// The handle to wake; `nil` while the thread makes or frees it.
        var multi: MultiHandle?
    }

    let policy: TrustPolicy
    /// How long connections are kept when nothing is asked of any of them.
    private let idleLifetime: Duration
    private let state = Lock(State())

    init(policy: TrustPolicy, idleLifetime: Duration) {
        self.policy = policy
        self.idleLifetime = idleLifetime
    }

    // MARK: From any thread

    /// Starts an exchange; its continuation is resumed exactly once, whatever becomes of it.
    func submit(_ transfer: Transfer, _ continuation: CheckedContinuation<Transfer.Outcome, Never>) {
        let refusal: TransportError? = state.withLock { state in
            guard !state.isStopping, transfer.phase == .new else { return .cancelled }
            transfer.phase = .submitted
            transfer.continuation = continuation
            return enqueue(.start(transfer), &state)
        }
        if let refusal { continuation.resume(returning: .failure(refusal)) }
    }

    /// Ends an exchange, before or after it was submitted.
    func cancel(_ transfer: Transfer) {
        state.withLock { state in
            if transfer.phase == .new {
                transfer.phase = .cancelledBeforeSubmission
            } else {
                _ = enqueue(.cancel(transfer), &state)
            }
        }
    }

    /// Looks at every deadline now: a clock was turned.
    func checkDeadlines() {
        state.withLock { state in
            guard state.thread != nil else { return }
            _ = enqueue(.checkDeadlines, &state)
        }
    }

    /// What the loop holds, after all that was asked of it before.
    func counts() async -> TransportCounts {
        await withCheckedContinuation { continuation in
            let isQueued = state.withLock { state in
                guard state.thread != nil else { return false }
                return enqueue(.count(continuation), &state) == nil
            }
            if !isQueued { continuation.resume(returning: TransportCounts()) }
        }
    }

    /// Ends the thread and waits for it; what is under way is cancelled.
    func stop() {
        let thread = state.withLock { state in
            state.isStopping = true
            state.multi?.wakeUp()
            return state.thread
        }
        thread?.join()
    }

    private func enqueue(_ command: Command, _ state: inout State) -> TransportError? {
        state.commands.append(command)
        if state.thread == nil {
            guard let thread = LoopThread(run: { self.run() }) else {
                state.commands.removeLast()
                return .setup("no thread could be started")
            }
            state.thread = thread
            LoopRegistry.shared.add(self)
        } else if state.isAsleep {
            state.isAsleep = false
            state.multi?.wakeUp()
        }
        return nil
    }

    // MARK: On the thread

    private func run() {
        while true {
            do {
                let multi = try MultiHandle()
                state.withLock { $0.multi = multi }
                serve(with: TransferSet(multi: multi, policy: policy))
            } catch {
                refuseAll(error)
            }
            // The connections are closed. Whoever asked meanwhile gets a fresh start; else the thread is done.
            let isDone = state.withLock { state in
                state.multi = nil
                guard state.isStopping || state.commands.isEmpty else { return false }
                // Under the lock, so that a thread started right after is not taken for this one.
                LoopRegistry.shared.remove(self)
                if !state.isStopping {
                    state.thread?.detach()
                    state.thread = nil
                }
                return true
            }
            if isDone { break }
        }
        if state.withLock({ $0.isStopping }) { refuseAll(.cancelled) }
    }

    /// Serves until there was nothing to do for the idle lifetime, or the loop is stopped.
    private func serve(with transfers: TransferSet) {
        var idleSince: ContinuousClock.Instant?
        while true {
            let (commands, isStopping) = state.withLock { state in
                defer { state.commands.removeAll(keepingCapacity: true) }
                return (state.commands, state.isStopping)
            }
            if isStopping {
                commands.forEach { handle($0, transfers) }
                transfers.failAll(.cancelled)
                return
            }
            commands.forEach { handle($0, transfers) }
            transfers.advance()

            var wait = transfers.timeToNextDeadline
            if transfers.isEmpty {
                let since = idleSince ?? .now
                idleSince = since
                wait = idleLifetime - (.now - since)
                let isOver = wait <= .zero && state.withLock { $0.commands.isEmpty && !$0.isStopping }
                if isOver { return }
            } else {
                idleSince = nil
            }
            let mustSleep = state.withLock { state in
                state.isAsleep = state.commands.isEmpty && !state.isStopping
                return state.isAsleep
            }
            guard mustSleep else { continue }
            transfers.multi.wait(milliseconds: wait.milliseconds())
            state.withLock { $0.isAsleep = false }
        }
    }

    private func handle(_ command: Command, _ transfers: TransferSet) {
        switch command {
        case .start(let transfer): transfers.start(transfer)
        case .cancel(let transfer): transfers.cancel(transfer)
        case .checkDeadlines: transfers.mustCheckDeadlines = true
        case .count(let continuation): continuation.resume(returning: transfers.counts)
        }
    }

    private func refuseAll(_ error: TransportError) {
        let commands = state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
        for command in commands {
            switch command {
            case .start(let transfer):
                transfer.continuation?.resume(returning: .failure(error))
                transfer.continuation = nil
            case .count(let continuation): continuation.resume(returning: TransportCounts())
            case .cancel, .checkDeadlines: break
            }
        }
    }
}

/// What a loop holds at one moment.
package struct TransportCounts: Sendable, Hashable {
    /// Exchanges with a libcurl handle.
    package var active = 0
    /// Exchanges waiting for a place.
    package var waiting = 0
    /// Handles kept for the next exchange.
    package var pooled = 0

    package init(active: Int = 0, waiting: Int = 0, pooled: Int = 0) {
        self.active = active
        self.waiting = waiting
        self.pooled = pooled
    }
}
