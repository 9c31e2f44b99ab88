import CMastheadCurl
import MastheadLock
import Synchronization

/// Drives libcurl for one trust policy, route and purpose, on a thread of its own.
///
/// Callers leave commands in a queue; the thread takes them, moves every transfer, resumes who waits, and sleeps in
/// `curl_multi_poll`. Only the first command after it fell asleep wakes it. While there is no exchange the thread is
/// parked, and the next caller sends its request itself; the thread, which watches the connections that are kept, wakes
/// when the answer comes, and before that only if there is more to do than to wait for it. From a server that answers at
/// once the caller receives the answer himself (see ``AnswerPace``). With nothing to do for the idle lifetime the thread ends
/// and its connections close; the next exchange starts another.
package final class TransferLoop: Sendable {
    private enum Command {
        case start(Transfer)
        case cancel(Transfer)
        case resume(Transfer)
        case checkDeadlines
        case count(CheckedContinuation<TransportCounts, Never>)
    }

    /// Who has the transfers, which one thread at a time may touch.
    private enum Place {
        /// The loop's thread, at work.
        case working
        /// The loop's thread, waiting for sockets.
        case polling
        /// Nobody: there is no exchange, and the thread is parked.
        case parked(TransferSet)
        /// A caller who found them parked; the thread may have woken meanwhile, and wait for them.
        case borrowed(isWanted: Bool)
        /// Nobody: all that is under way waits for bytes on connections that the parked thread watches.
        case watched(TransferSet)
    }

    private struct State {
        var commands: [Command] = []
        var place = Place.working
        var isStopping = false
        var thread: LoopThread?
        /// What to wake the thread by; `nil` while it makes or frees them.
        var multi: MultiHandle?
        var parking: ParkingPlace?
    }

    let key: LoopKey
    /// Whether everybody with an equal key gets it: until its thread ends.
    let isShared = Atomic(true)
    /// How long connections are kept when nothing is asked of any of them.
    private let idleLifetime: Duration
    /// How long a caller waits for an answer on the spot, at most.
    private let longestWait: Duration
    private let state = Lock(State())

    init(key: LoopKey, idleLifetime: Duration, longestWait: Duration) {
        self.key = key
        self.idleLifetime = idleLifetime
        self.longestWait = longestWait
    }

    // MARK: From any thread

    /// Starts an exchange; its continuation is resumed exactly once, whatever becomes of it.
    func submit(_ transfer: Transfer, _ continuation: CheckedContinuation<Transfer.Outcome, Never>) {
        let submission: Submission = state.withLock { state in
            transfer.continuation = continuation
            guard !state.isStopping, transfer.phase == .new else { return .refused(.cancelled) }
            transfer.phase = .submitted
            // A caller's thread must not wait for a disk.
            if case .parked(let transfers) = state.place, key.purpose == .exchanges {
                state.place = .borrowed(isWanted: false)
                return .borrowed(transfers)
            }
            return enqueue(.start(transfer), &state).map { .refused($0) } ?? .queued
        }
        switch submission {
        case .queued: break
        case .refused(let error): transfer.finish(.failure(error))
        case .borrowed(let transfers):
            transfers.start(transfer)
            transfers.advance()
            giveBack(transfers, afterWaiting: transfers.awaitAnswer(to: transfer) ? transfer.origin : nil)
        }
    }

    /// Leaves borrowed transfers to the thread, and wakes it if it has to do something before bytes come.
    private func giveBack(_ transfers: TransferSet, afterWaiting origin: Origin?) {
        let mayRest = transfers.mayRestWhileParked
        state.withLock { state in
            // Others had to wait meanwhile.
            if let origin, !state.commands.isEmpty { transfers.paces[origin].noteFailure() }
            if case .borrowed(isWanted: false) = state.place, mayRest, state.commands.isEmpty, !state.isStopping {
                state.place = transfers.isEmpty ? .parked(transfers) : .watched(transfers)
            } else {
                state.place = .working
                state.parking?.wake()
            }
        }
    }

    private enum Submission {
        case queued
        case refused(TransportError)
        case borrowed(TransferSet)
    }

    /// Ends an exchange, before or after it was submitted.
    func cancel(_ transfer: Transfer) {
        state.withLock { state in
            if transfer.phase == .new {
                transfer.phase = .cancelledBeforeSubmission
            } else if state.thread != nil {
                _ = enqueue(.cancel(transfer), &state)
            }
        }
    }

    /// Goes on with an exchange that rested.
    func resume(_ transfer: Transfer) {
        state.withLock { state in
            guard state.thread != nil else { return }
            _ = enqueue(.resume(transfer), &state)
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
            state.parking?.wake()
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
            return nil
        }
        switch state.place {
        case .polling:
            state.place = .working
            state.multi?.wakeUp()
        case .parked, .watched: state.parking?.wake()
        // Whoever has them looks at the commands next.
        case .working, .borrowed: break
        }
        return nil
    }

    // MARK: On the thread

    private func run() {
        while true {
            do {
                let multi = try MultiHandle()
                let parking = try ParkingPlace()
                state.withLock { state in
                    state.multi = multi
                    state.parking = parking
                }
                serve(with: TransferSet(multi: multi, key: key, longestWait: longestWait), parking)
            } catch {
                refuseAll(error)
            }
            // The connections are closed. Whoever asked meanwhile gets a fresh start; else the thread is done.
            let isDone = state.withLock { state in
                state.multi = nil
                state.parking = nil
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
    private func serve(with transfers: TransferSet, _ parking: ParkingPlace) {
        var idle: (since: ContinuousClock.Instant, started: Int)?
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

            if transfers.isEmpty {
                // Callers may have started some, and they be over, since the thread last looked.
                if idle?.started != transfers.startedCount { idle = (.now, transfers.startedCount) }
                let left = idle.map { idleLifetime - (.now - $0.since) } ?? idleLifetime
                if left <= .zero, state.withLock({ $0.commands.isEmpty && !$0.isStopping }) { return }
                park(transfers, for: left, parking)
            } else {
                idle = nil
                poll(transfers)
            }
        }
    }

    /// Waits for a socket, a command or a deadline.
    private func poll(_ transfers: TransferSet) {
        let wait = transfers.timeToNextDeadline
        let mustSleep = state.withLock { state in
            guard state.commands.isEmpty, !state.isStopping else { return false }
            state.place = .polling
            return true
        }
        guard mustSleep else { return }
        transfers.multi.wait(milliseconds: wait.milliseconds())
        state.withLock { $0.place = .working }
    }

    /// Leaves the transfers for a caller to find, and waits for one, for bytes, for a command or for the time to pass.
    private func park(_ transfers: TransferSet, for left: Duration, _ parking: ParkingPlace) {
        let (wait, sockets) = transfers.prepareParking(for: left)
        let mayPark = state.withLock { state in
            guard state.commands.isEmpty, !state.isStopping else { return false }
            state.place = .parked(transfers)
            return true
        }
        guard mayPark else { return }
        let readable = parking.wait(milliseconds: wait.milliseconds(), watching: sockets)
        // A caller who has them gives them back in a moment, and says so.
        while !state.withLock({ takeBack(&$0) }) { _ = parking.wait(milliseconds: 1000) }
        transfers.endParking(readable: readable)
    }

    private func takeBack(_ state: inout State) -> Bool {
        if case .borrowed = state.place {
            state.place = .borrowed(isWanted: true)
            return false
        }
        state.place = .working
        return true
    }

    private func handle(_ command: Command, _ transfers: TransferSet) {
        switch command {
        case .start(let transfer): transfers.start(transfer)
        case .cancel(let transfer): transfers.cancel(transfer)
        case .resume(let transfer): transfers.resume(transfer)
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
            case .start(let transfer): transfer.finish(.failure(error))
            case .count(let continuation): continuation.resume(returning: TransportCounts())
            case .cancel, .resume, .checkDeadlines: break
            }
        }
    }
}
