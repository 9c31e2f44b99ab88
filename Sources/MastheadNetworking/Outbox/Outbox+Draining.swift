import FoundationEssentials
import MastheadSQLite
import MastheadTransport

extension Outbox {
    /// Sends what can be sent, and waits until that is done.
    ///
    /// A drain that is under way is joined: what was enqueued meanwhile is sent too. It ends for good with the last task
    /// that waits for it.
    ///
    /// - Returns: What came of it.
    @discardableResult
    public func drain() async -> OutboxDrain {
        if Task.isCancelled { return await summary(of: Tally(failure: .cancelled)) }
        // An app's store that waited for the drain would be waited for by it.
        if OptimisticLine.isInside {
            networkBecameAvailable()
            return await summary(of: Tally())
        }
        let task = join()
        return await withTaskCancellationHandler {
            let drain = await task.value
            guard Task.isCancelled else { return drain }
            var cancelled = drain
            cancelled.failure = cancelled.failure ?? (drain.isEmpty ? nil : .cancelled)
            return cancelled
        } onCancel: {
            Task { await self.leave(task) }
        }
    }

    /// Sends what can be sent, in the background, and without waiting any longer for what could not be sent before.
    ///
    /// Call it when the system says that there is a network again. A time that the server asked for is waited for all the
    /// same.
    public func networkBecameAvailable() {
        for pause in pauses.values { pause.cancel() }
        pauses = [:]
        tally.resting = []
        OptimisticLine.$isInside.withValue(false) { _ = Task { await drain() } }
    }

    /// Ends what is under way, and closes the file; what is left in it stays.
    ///
    /// What was under way is sent again when the outbox is opened the next time, with the same key.
    public func close() async {
        isClosed = true
        running?.cancel()
        _ = await running?.value
        bell.end()
        await database.database.close()
    }

    /// Ends what is under way, and removes the file with all that is in it: for a user who will not come back.
    public func erase() async -> Result<Void, RepositoryError> {
        isClosed = true
        running?.cancel()
        _ = await running?.value
        bell.end()
        do throws(DatabaseError) {
            try await database.database.closeAndRemove()
            return .success(())
        } catch {
            return .failure(RepositoryError(error))
        }
    }

    private func join() -> Task<OutboxDrain, Never> {
        mustLookAgain = true
        if let running, !isEnding {
            joined += 1
            return running
        }
        let previous = running
        lastDrain += 1
        let number = lastDrain
        let task = OptimisticLine.$isInside.withValue(false) {
            Task {
                _ = await previous?.value
                return await pass(number)
            }
        }
        (running, joined, isEnding) = (task, 1, false)
        return task
    }

    /// Cancels the drain with the last who waits for it.
    private func leave(_ task: Task<OutboxDrain, Never>) {
        guard running == task else { return task.cancel() }
        joined -= 1
        if joined == 0 { task.cancel() }
    }

    private func pass(_ number: Int) async -> OutboxDrain {
        tally = Tally()
        await sendAll()
        let tally = tally
        if number == lastDrain { running = nil }
        return await summary(of: tally)
    }

    private func sendAll() async {
        guard !isClosed, let lock = await takeLock() else {
            return stop(
                because: .fileAccess(
                    reason: isClosed ? "the outbox is closed" : "another outbox of the user is sending"
                )
            )
        }
        defer { withExtendedLifetime(lock) {} }
        if case .failure(let error) = await releaseLeft() { return stop(because: error) }
        while !tally.isOver {
            if Task.isCancelled { return stop(because: .cancelled) }
            mustLookAgain = false
            let before = tally.sent + tally.parked
            let holdsParked = options.holdsLaneOfParked
            let ready = await database.read { connection throws(DatabaseError) in
                try connection.readyLanes(holdingParked: holdsParked)
            }
            switch ready {
            case .failure(let error): stop(because: error)
            case .success(let lanes):
                let due = lanes.filter { !tally.resting.contains($0) }
                _ = await Calls.settled(due, atOnce: options.lanesAtOnce) { lane in
                    .success(await self.send(lane))
                }
            }
            // What was done may have been what others waited for.
            if tally.sent + tally.parked == before, !mustLookAgain { return }
        }
    }

    private func takeLock() async -> OutboxLock? {
        await OwnThread.run { [path] in OutboxLock("\(path).lock") }
    }

    /// Lets wait again what a process had taken up that has ended; the lock is held.
    private func releaseLeft() async -> Result<Void, RepositoryError> {
        await shielded { connection throws(DatabaseError) in try connection.releaseAll() }
    }

    /// Does the same when the outbox is opened, if there is anything of the kind and nobody is sending.
    func releaseAtStart() async -> Result<Void, RepositoryError> {
        let left = await database.read { connection throws(DatabaseError) in try connection.hasTaken() }
        guard case .success(true) = left, let lock = await takeLock() else { return left.map { _ in } }
        defer { withExtendedLifetime(lock) {} }
        return await releaseLeft()
    }

    private func summary(of tally: Tally) async -> OutboxDrain {
        // Counted even if the task is cancelled.
        let counting = Task {
            await database.read { connection throws(DatabaseError) in try connection.counts() }
        }
        var drain = OutboxDrain(sent: tally.sent, parked: tally.parked, failure: tally.failure)
        switch await counting.value {
        case .success(let counts): drain.left = counts.pending + counts.parked
        case .failure(let error): drain.failure = drain.failure ?? error
        }
        return drain
    }
}

extension Outbox {
    /// What a drain has come to so far.
    struct Tally: Sendable {
        var sent = 0
        var parked = 0
        var failure: RepositoryError?
        /// Whether nothing more is to be sent.
        var isOver = false
        /// The lanes that are left alone until the next drain.
        var resting: Set<String> = []
    }
}
