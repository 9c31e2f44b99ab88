import FoundationEssentials
import MastheadSQLite

extension Outbox {
    /// Sends the writes of a lane, one after the other, as far as they can be sent.
    func send(_ lane: String) async {
        if tally.isOver || Task.isCancelled { return }
        var first = await takeUp(from: lane)
        while let write = first {
            if tally.isOver || Task.isCancelled { return await release(write) }
            guard session.lasts || !write.usesSession else {
                stop(because: .withoutSession)
                return await release(write)
            }
            sending.insert(write.id)
            bell.ring()
            let outcome = await send(write)
            if case .left = outcome { await release(write) }
            // One commit, which a disk takes long for, ends a write and begins the next.
            if case .sent = outcome { first = await takeUp(from: lane, insteadOf: write) }
            sending.remove(write.id)
            bell.ring()
            switch outcome {
            case .sent: break
            case .parked: first = await takeUp(from: lane)
            case .left:
                tally.resting.insert(lane)
                return
            }
        }
    }

    /// What came of sending a write.
    private enum Outcome {
        /// The server has it.
        case sent
        /// It is set aside.
        case parked
        /// It waits for another drain.
        case left
    }

    /// Takes the first write of a lane up, in one transaction: a discard comes before it or too late.
    ///
    /// - Parameters:
    ///   - lane: The lane.
    ///   - done: One that the server has, which goes with the same transaction.
    /// - Returns: The write; `nil` if there is none to send.
    private func takeUp(from lane: String, insteadOf done: KeptWrite? = nil) async -> KeptWrite? {
        let holdsParked = options.holdsLaneOfParked
        let taken = await shielded { [sealing] connection throws(DatabaseError) in
            if let done { try connection.remove(done.id) }
            return try connection.takeUp(from: lane, holdingParked: holdsParked, sealing)
        }
        if case .success = taken, done != nil { tally.sent += 1 }
        if case .failure(let error) = taken { stop(because: error) }
        return (try? taken.get()) ?? nil
    }

    /// Lets a write wait again that was taken up; if that cannot be written, the next drain does it.
    private func release(_ write: KeptWrite) async {
        _ = await shielded { connection throws(DatabaseError) in try connection.release(write.id) }
    }

    /// Ends the drain under way.
    func stop(because error: RepositoryError) {
        (tally.isOver, tally.failure) = (true, error)
        isEnding = true
    }

    /// Sends a write until it is done, or parked, or not worth trying any more in this drain.
    ///
    private func send(_ write: KeptWrite) async -> Outcome {
        let time = configuration.time
        if let date = write.notBefore {
            let wait = Duration.seconds(date.timeIntervalSince(time.date))
            // A clock that was set back must not make it wait for ever.
            if wait > .zero, wait < .seconds(86_400) {
                guard wait <= RetryPlan.longestWait else { return .left }
                guard await pause(for: wait, canBeCut: false) else { return .left }
            }
        }
        var attempts = 0
        while true {
            attempts += 1
            switch await repository.send(write, inSession: session.number) {
            case .success(let answer):
                await line.commit(write.optimistic, answer: answer)
                return .sent
            case .failure(let error):
                switch OutboxVerdict(error, at: time) {
                case .stop:
                    stop(because: error)
                    return .left
                case .park: return await park(write, because: error) ? .parked : .left
                case .again(let asked), .offline(let asked):
                    guard await wait(after: error, asked: asked, attempts: attempts, of: write) else { return .left }
                }
            }
        }
    }

    /// Waits until a write may be tried again; `false` if it may not in this drain.
    private func wait(
        after error: RepositoryError,
        asked: Duration?,
        attempts: Int,
        of write: KeptWrite
    ) async -> Bool {
        let failure = OutboxFailure(error)
        let notBefore = asked.map { configuration.time.date.addingTimeInterval($0.inSeconds) }
        let noted = await shielded { [sealing] connection throws(DatabaseError) in
            try connection.note(failure, of: write.id, notBefore: notBefore, sealing)
        }
        bell.ring()
        if case .failure(let error) = noted {
            stop(because: error)
            return false
        }
        guard attempts < options.retry.maximumAttempts, asked ?? .zero <= RetryPlan.longestWait else {
            tally.failure = error
            // Nobody is there: the other lanes need not find that out one after the other.
            if case .offline = OutboxVerdict(error, at: configuration.time) { stop(because: error) }
            return false
        }
        let ceiling = min(options.retry.baseDelay * (1 << min(attempts - 1, 32)), options.retry.maximumDelay)
        return await pause(for: asked ?? ceiling * configuration.randomFraction(), canBeCut: asked == nil)
    }

    /// Waits; `false` if the drain ended meanwhile.
    private func pause(for duration: Duration, canBeCut: Bool) async -> Bool {
        let time = configuration.time
        let end = time.now + max(duration, .zero)
        let sleep = Task { _ = try? await time.sleep(until: end) }
        lastPause += 1
        let number = lastPause
        if canBeCut { pauses[number] = sleep }
        await withTaskCancellationHandler {
            await sleep.value
        } onCancel: {
            sleep.cancel()
        }
        pauses[number] = nil
        return !Task.isCancelled && !tally.isOver
    }

    /// Sets a write aside, and takes back its value and those of the writes that depend on it.
    ///
    /// - Returns: Whether that could be written.
    private func park(_ write: KeptWrite, because error: RepositoryError) async -> Bool {
        let failure = OutboxFailure(error)
        let parked = await shielded { [sealing] connection throws(DatabaseError) in
            try connection.park(write.id, because: failure, sealing)
        }
        guard case .success(let hidden) = parked else {
            if let error = parked.failure { stop(because: error) }
            return false
        }
        tally.parked += 1
        bell.ring()
        await line.rollBack(hidden)
        // If it holds its lane, nothing of that is at the head any more.
        return true
    }

    /// Writes down what has happened, whether or not anybody waits for it any more.
    func shielded<Output: Sendable>(
        _ job: @escaping Database.Job<Output>
    ) async -> Result<Output, RepositoryError> {
        await Task { await database.write(job) }.value
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
