import MastheadLock

/// The connections that read: a bounded number, each opened when it is first needed.
final class ReaderPool: Sendable {
    private let line = Lock(ReaderLine())
    private let workers: Workers
    private let place: DatabasePlace
    let changes = ChangeFeed()
    /// Called when a connection was opened and somebody listens for changes.
    private let onOpening = Lock<(@Sendable () -> Void)?>(nil)

    init(place: DatabasePlace) {
        self.place = place
        workers = Workers(limit: place.options.readerLimit, idleTime: place.options.idleTime)
    }

    /// Runs a job on one of the pool's threads as soon as a connection is free.
    func add(_ job: ReadJob) {
        do throws(DatabaseError) {
            let taken = try line.withLock { (line) throws(DatabaseError) -> ReaderLine.Place? in
                if let taken = try line.take(limit: place.options.readerLimit) { return taken }
                line.wait(job)
                return nil
            }
            if let taken { start(job, taken) }
        } catch {
            job.fail(error)
        }
    }

    /// Runs a body on the caller's thread if a connection is free, without waiting for anything.
    ///
    /// - Parameters:
    ///   - mayOpen: Whether a connection is opened on this thread if none is open and free.
    ///   - body: What to do.
    /// - Returns: What the body made; `nil` if there is no connection, it would have to wait, or the file is not prepared.
    /// - Throws: What `body` throws, and what kept a connection from being opened.
    func now<Output: Sendable>(
        mayOpen: Bool = true,
        _ body: (Connection) throws(DatabaseError) -> Output
    ) throws(DatabaseError) -> Output? {
        let limit = place.options.readerLimit
        let taken = try line.withLock { (line) throws(DatabaseError) in
            mayOpen ? try line.take(limit: limit) : try line.takeOpen()
        }
        guard let taken else { return nil }
        var reader: Reader?
        defer {
            if let (job, taken) = giveBack(reader, taken) { start(job, taken) }
        }
        do throws(DatabaseError) {
            reader = try open(taken, patience: 0, mayOpen: mayOpen)
            guard let connection = reader?.connection else { return nil }
            return try body(connection)
        } catch .busy {
            return nil
        } catch {
            if error.endsConnection { reader?.close() }
            throw error
        }
    }

    /// Takes no more jobs, closes each connection when its job is done, and calls back.
    ///
    /// - Parameters:
    ///   - isDropped: Whether the jobs that wait are given up instead of being run first.
    ///   - completion: Called once no connection is open.
    func close(dropping isDropped: Bool, then completion: @escaping @Sendable () -> Void) {
        let (jobs, readers) = line.withLock { $0.close(dropping: isDropped, then: completion) }
        for job in jobs { job.fail(.closed) }
        dispose(readers)
    }

    /// Closes all connections, since the file was replaced; new ones are opened as they are needed.
    func renew() {
        dispose(line.withLock { $0.renew() })
    }

    // MARK: Threads

    var threadCount: Int { workers.threadCount }

    private func start(_ job: ReadJob, _ taken: ReaderLine.Place) {
        guard !workers.submit({ self.run(job, taken) }) else { return }
        var next: (job: ReadJob, taken: ReaderLine.Place)? = (job, taken)
        while let (job, taken) = next {
            job.fail(.noThread)
            next = giveBack(taken.reader, taken)
        }
    }

    /// Runs a job, and then those that wait, as long as there are any.
    private func run(_ job: ReadJob, _ taken: ReaderLine.Place) {
        var next: (job: ReadJob, taken: ReaderLine.Place)? = (job, taken)
        while let turn = next {
            var reader: Reader?
            var tell: () -> Void
            do throws(DatabaseError) {
                reader = try open(turn.taken, patience: place.options.patience.milliseconds)
                let ending = turn.job.run(reader?.connection)
                if let error = ending.error, error.endsConnection { reader?.close() }
                tell = ending.tell
            } catch {
                tell = { turn.job.fail(error) }
            }
            next = giveBack(reader, turn.taken)
            tell()
        }
    }

    private func open(
        _ taken: ReaderLine.Place,
        patience: Int,
        mayOpen: Bool = true
    ) throws(DatabaseError) -> Reader? {
        if let reader = taken.reader, let connection = reader.connection {
            connection.patience = patience
            if !connection.hasMoved { return reader }
        }
        guard mayOpen else { return nil }
        guard let connection = try place.openReader(patience: patience) else { return nil }
        if changes.noteOpening() { onOpening.withLock { $0 }?() }
        return Reader(connection)
    }

    /// Says what to do when a connection was opened and somebody listens for changes.
    func whenOpening(_ action: @escaping @Sendable () -> Void) {
        onOpening.withLock { $0 = action }
    }

    /// Tells when all those have ended that read now; never, if nobody does.
    func whenOthersEnd(_ tell: @escaping @Sendable () -> Void) {
        line.withLock { $0.whenOthersEnd(tell) }
    }

    /// Gives a connection to the next who waits.
    private func giveBack(_ reader: Reader?, _ taken: ReaderLine.Place) -> (job: ReadJob, taken: ReaderLine.Place)? {
        let usable = reader?.connection == nil ? nil : reader
        if let usable, line.withLock({ $0.keep(usable, taken) }) { return nil }
        let (turn, tell) = line.withLock { $0.giveBack(usable, taken) }
        tell?()
        switch turn {
        case .job(let job, let taken):
            return (job, taken)
        case .close:
            reader?.close()
            for completion in line.withLock({ $0.leave(1) }) { completion() }
            return nil
        case .rest:
            return nil
        }
    }

    /// Closes connections on a thread that may wait: closing the last one may write.
    private func dispose(_ readers: [Reader]) {
        let dispose: @Sendable () -> Void = {
            for reader in readers { reader.close() }
            for completion in self.line.withLock({ $0.leave(readers.count) }) { completion() }
        }
        if !workers.submit(dispose) { dispose() }
    }
}
