import MastheadLock

/// The connections that read: a bounded number, each opened when it is first needed.
final class ReaderPool: Sendable {
    private let line = Lock(ReaderLine())
    private let workers: Workers
    private let place: DatabasePlace

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
    /// - Returns: What the body made; `nil` if there is no connection, it would have to wait, or the file is not prepared.
    func now<Output: Sendable>(_ body: (Connection) throws(DatabaseError) -> Output) throws(DatabaseError) -> Output? {
        let limit = place.options.readerLimit
        let taken = try line.withLock { (line) throws(DatabaseError) in try line.take(limit: limit) }
        guard let taken else { return nil }
        var reader: Reader?
        defer {
            if let (job, taken) = giveBack(reader) { start(job, taken) }
        }
        do throws(DatabaseError) {
            reader = try open(taken, patience: 0)
            guard let connection = reader?.connection else { return nil }
            connection.patience = 0
            return try connection.transaction(.reading) { () throws(DatabaseError) in try body(connection) }
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

    private func start(_ job: ReadJob, _ taken: ReaderLine.Place) {
        guard !workers.submit({ self.run(job, taken) }) else { return }
        job.fail(.cannotOpen(reason: "the system has no thread to give"))
        var reader: Reader?
        if case .reader(let taken) = taken { reader = taken }
        var next = giveBack(reader)
        while let (job, taken) = next {
            job.fail(.cannotOpen(reason: "the system has no thread to give"))
            if case .reader(let taken) = taken { reader = taken }
            next = giveBack(reader)
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
                reader?.connection?.patience = place.options.patience.milliseconds
                let ending = turn.job.run(reader?.connection)
                if let error = ending.error, error.endsConnection { reader?.close() }
                tell = ending.tell
            } catch {
                tell = { turn.job.fail(error) }
            }
            next = giveBack(reader)
            tell()
        }
    }

    private func open(_ taken: ReaderLine.Place, patience: Int) throws(DatabaseError) -> Reader? {
        switch taken {
        case .reader(let reader):
            return reader
        case .new(let generation):
            return try place.openReader(patience: patience).map { Reader($0, generation: generation) }
        }
    }

    /// Gives a connection to the next who waits.
    private func giveBack(_ reader: Reader?) -> (job: ReadJob, taken: ReaderLine.Place)? {
        let usable = reader?.connection == nil ? nil : reader
        switch line.withLock({ $0.giveBack(usable) }) {
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
