import CMastheadCurl
import MastheadCrypto

/// The exchanges of one loop, and the handles for the next.
final class TransferSet: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: one thread at a time touches it, the one that took it out of the loop's lock.
    private static let maximumPooledHandles = 128

    let multi: MultiHandle
    /// Set when a clock was turned by hand.
    var mustCheckDeadlines = false

    /// How soon servers answer.
    var paces: AnswerPaces
    /// Whether the caller of the last exchange received the answer himself.
    var callersReceive = false
    /// How often a caller has waited for an answer.
    var waitCount = 0

    private let key: LoopKey
    private let pass: LoopPass
    private var active: [UnsafeMutableRawPointer: Transfer] = [:]
    private var gate = OriginGate<Transfer>()
    private var pool: [EasyHandle] = []
    /// Those that have to be renewed before they are used again.
    private var spent: [EasyHandle] = []
    /// No deadline passes before this, by ``now``; those that move later are found when it comes.
    private var nextCheck: Duration?
    /// How many exchanges were started in all.
    private(set) var startedCount = 0
    /// What the parked thread watches, and until when.
    private var parking: (sockets: [Int32], until: ContinuousClock.Instant)?
    /// How long the thread may be parked so that it need not be woken for the deadlines of the next exchange.
    private var longestParking = Duration.seconds(3600)

    init(multi: MultiHandle, key: LoopKey, longestWait: Duration) {
        paces = AnswerPaces(longestWait: longestWait)
        self.multi = multi
        self.key = key
        pass = LoopPass(trust: LoopTrust(key.policy, key.route))
        pass.transfers = self
    }

    deinit {
        // Every handle leaves before the multi handle goes.
        for transfer in active.values {
            if let handle = transfer.releaseHandle() { multi.remove(handle) }
        }
    }

    /// Those that wait for a new connection come after one that is under way.
    var isEmpty: Bool { active.isEmpty && gate.waitingCount == 0 }

    var counts: TransportCounts {
        let waiting = gate.waitingCount + pass.renewals.waiting.count
        let pooled = pool.count + spent.count
        return TransportCounts(active: active.count, waiting: waiting, pooled: pooled, waits: waitCount)
    }

    /// Every exchange that has not ended.
    private var unfinished: [Transfer] { Array(active.values) + pass.renewals.waiting + gate.waiting }

    /// Closes the connection to a server once those are over that it serves.
    ///
    /// - Returns: Whether it serves any.
    func closeConnection(to peer: TLSPeer) -> Bool {
        let users = active.values.filter { $0.attempt.peer === peer }
        for transfer in users { transfer.handle?.forbidReuse() }
        return !users.isEmpty
    }

    var timeToNextDeadline: Duration {
        if mustCheckDeadlines { return .zero }
        return nextCheck.map { max(.zero, $0 - Self.now) } ?? .seconds(3600)
    }

    /// Now, by the machine's own clock.
    static var now: Duration { SystemTransportClock().now }

    // MARK: Parking

    /// Says what the thread watches while it is parked, and for how long.
    func prepareParking(for left: Duration) -> (wait: Duration, sockets: [Int32]) {
        renewSpent()
        let wait = min(left, longestParking)
        // Whoever waits for an answer himself must not be disturbed by the thread, which it would wake too.
        let sockets = key.purpose == .exchanges && !callersReceive ? pass.kept.watched : []
        parking = (sockets, .now + wait)
        return (wait, sockets)
    }

    /// Takes in on which of them something came.
    func endParking(readable: [Int32]) {
        parking = nil
        // Nobody asked for it: the end of a connection, or a word about it.
        if active.isEmpty { pass.kept.unwatch(readable) }
    }

    /// Whether the parked thread may stay where it is: nothing is under way, or all of it waits for bytes on sockets that
    /// are watched, and no deadline passes before the thread wakes by itself.
    var mayRestWhileParked: Bool {
        guard !isEmpty else { return true }
        guard let parking, let socket = onlySocket, parking.sockets.contains(socket) else { return false }
        let wait = min(timeToNextDeadline, multi.timeToNextTimer ?? .seconds(3600))
        if ContinuousClock.now + wait >= parking.until { return true }
        // From the next time on the thread wakes early enough by itself; much more often than that is not worth it.
        if wait >= .seconds(1) { longestParking = min(longestParking, wait * 9 / 10) }
        return false
    }

    /// The socket of a kept connection, if the one exchange under way waits for bytes on it and for nothing else.
    var onlySocket: Int32? {
        guard active.count == 1, gate.waitingCount == 0, pass.renewals.waiting.isEmpty,
            // The socket of a new connection may have the number of a watched one that is closed.
            active.values.allSatisfy(\.isOnKeptConnection)
        else { return nil }
        return multi.onlySocket
    }

    // MARK: Starting

    func start(_ transfer: Transfer) {
        startedCount += 1
        let limit = transfer.request.limits.places
        let priority = transfer.request.priority
        if gate.enter(transfer, id: transfer.id, origin: transfer.origin, priority: priority, limit: limit) {
            begin(transfer)
        } else {
            note(deadlineOf: transfer)
        }
    }

    private func begin(_ transfer: Transfer) {
        guard pass.renewals.admits(transfer) else {
            note(deadlineOf: transfer)
            return
        }
        do throws(TransportError) {
            if pool.isEmpty { renewSpent() }
            let handle = if let kept = pool.popLast() { kept } else { try EasyHandle(sessions: multi.sessions) }
            try transfer.prepare(handle, for: key, multiplexes: gate.multiplexes(transfer.origin), pass: pass)
            try multi.add(handle)
            active[handle.pointer] = transfer
            note(deadlineOf: transfer, at: transfer.start)
        } catch {
            _ = transfer.releaseHandle()
            pass.renewals.ended(transfer)
            leave(transfer)
            transfer.finish(.failure(error))
            beginReleased()
        }
    }

    /// Begins those that have waited for another's connection.
    ///
    /// - Returns: Whether there were any.
    @discardableResult
    private func beginReleased() -> Bool {
        let released = pass.renewals.takeReleased()
        for transfer in released { begin(transfer) }
        return !released.isEmpty
    }

    // MARK: Advancing

    /// Moves everything as far as it goes without waiting, and ends what is out of time.
    func advance() {
        move()
        guard timeToNextDeadline == .zero else { return }
        // Nobody was idle while a file was written: what came meanwhile counts.
        move()
        expire()
    }

    private func move() {
        repeat {
            pass.number += 1
            multi.perform()
            // What arrived for files is written before anybody hears of an end.
            let writers = key.purpose == .files ? Array(active.values) : []
            for writer in writers { if let error = writer.flush() { end(writer, with: .failure(error)) } }
        } while harvest() && !active.isEmpty
        // What is over has no deadline.
        if isEmpty { nextCheck = nil }
    }

    /// Takes the finished ones out.
    ///
    /// - Returns: Whether there were any: what they made room for must be started before anyone sleeps.
    private func harvest() -> Bool {
        var found = false
        while let (pointer, code) = multi.nextFinished() {
            found = true
            guard let transfer = active.removeValue(forKey: pointer) else { continue }
            pass.renewals.ended(transfer)
            let outcome = transfer.outcome(of: code)
            if outcome != nil { transfer.reportMetrics() }
            guard let handle = transfer.releaseHandle() else { continue }
            multi.remove(handle)
            if let outcome {
                if case .success(let answer) = outcome {
                    if let sentAt = transfer.sentAt { paces[transfer.origin].note(answerAfter: Self.now - sentAt) }
                    gate.note(transfer.origin, multiplexes: answer.head.version == .http2)
                }
                // First, since its caller waits for nothing else.
                transfer.finish(outcome)
            }
            // The handle still knows the transfer, which its caller may let go of now. libcurl keeps in mind that a server
            // refused, longer than it is true: what failed is not used again.
            withExtendedLifetime(transfer) { if code == CURLE_OK { recycle(handle) } }
            if outcome == nil {
                begin(transfer)
            } else {
                leave(transfer)
            }
        }
        if !pass.refused.isEmpty {
            for ends in pass.refused { pass.kept.shut(ends) }
            pass.refused = []
        }
        return beginReleased() || found
    }

    private func expire() {
        let now = Self.now
        mustCheckDeadlines = false
        nextCheck = nil
        for transfer in unfinished {
            let (remaining, error) = transfer.nextDeadline()
            if remaining <= .zero {
                end(transfer, with: transfer.outcome(after: error))
            } else {
                note(now + remaining)
            }
        }
    }

    func note(deadlineOf transfer: Transfer, at moment: Duration? = nil) {
        note(Self.now + max(.zero, transfer.nextDeadline(at: moment).remaining))
    }

    private func note(_ moment: Duration) {
        nextCheck = min(nextCheck ?? moment, moment)
    }

    /// Goes on with an exchange that rested; does nothing for one that is over.
    func resume(_ transfer: Transfer) {
        transfer.resume()
        note(deadlineOf: transfer)
    }

    // MARK: Ending

    func cancel(_ transfer: Transfer) {
        end(transfer, with: .failure(.cancelled))
    }

    func failAll(_ error: TransportError) {
        for transfer in unfinished { end(transfer, with: .failure(error)) }
    }

    /// Ends an exchange that has not finished by itself; does nothing to one that has.
    private func end(_ transfer: Transfer, with outcome: Transfer.Outcome) {
        // One that waits for another's connection has a place like one that is under way.
        let hasPlace = transfer.handle != nil || pass.renewals.remove(transfer)
        guard hasPlace || gate.remove(id: transfer.id, origin: transfer.origin) else { return }
        transfer.reportMetrics()
        if let handle = transfer.releaseHandle() {
            active[handle.pointer] = nil
            // Freed rather than kept: it may still belong to a name look-up that never answers.
            multi.remove(handle)
        }
        pass.renewals.ended(transfer)
        if hasPlace { leave(transfer) }
        transfer.finish(outcome)
        beginReleased()
    }

    private func leave(_ transfer: Transfer) {
        for next in gate.leave(transfer.origin, limit: { $0.request.limits.places }) { begin(next) }
    }

    private func recycle(_ handle: EasyHandle) {
        guard pool.count + spent.count < Self.maximumPooledHandles else { return }
        // It tells its exchange of its end, if it makes remarks.
        if !handle.makesRemarks {
            spent.append(handle)
        } else if handle.renew() {
            pool.append(handle)
        }
    }

    /// Renews the handles that were used: best while there is nothing else to do.
    func renewSpent() {
        guard !spent.isEmpty else { return }
        for handle in spent where handle.renew() { pool.append(handle) }
        spent.removeAll(keepingCapacity: true)
    }
}
