import FoundationEssentials
import MastheadSQLite

extension Outbox {
    /// Keeps a write, to be sent when it is its turn.
    ///
    /// Its value is shown when this returns. A write that is there already, by its ``OutboxWrite/id``, is not kept twice.
    ///
    /// - Returns: Nothing; or why it cannot be kept: ``RepositoryError/invalidRequest(reason:)`` and the like for what could
    ///   never be sent, ``RepositoryError/fileAccess(reason:)`` if it cannot be written.
    @discardableResult
    public func enqueue(_ write: OutboxWrite) async -> Result<Void, RepositoryError> {
        await enqueue([write])
    }

    /// Keeps several writes: all of them, or none.
    ///
    /// One that depends on another of them stands behind it.
    @discardableResult
    public func enqueue(_ writes: [OutboxWrite]) async -> Result<Void, RepositoryError> {
        var kept: [KeptWrite] = []
        var behind = Set(writes.map(\.id))
        for write in writes {
            guard behind.isDisjoint(with: write.dependencies) else {
                return .failure(.invalidRequest(reason: "a write depends on itself, or on one that stands behind it"))
            }
            behind.remove(write.id)
            do throws(RepositoryError) {
                kept.append(try KeptWrite(write, for: configuration))
            } catch {
                return .failure(error)
            }
        }
        let date = configuration.time.date
        let result = await database.write { [kept, sealing] connection throws(DatabaseError) in
            var shown: [OptimisticValue] = []
            for write in kept {
                guard try connection.insert(write, at: date, sealing) == true, let value = write.optimistic else {
                    continue
                }
                shown.append(value)
            }
            return shown
        }
        guard case .success(let shown) = result else { return result.map { _ in } }
        bell.ring()
        await line.apply(shown)
        return .success(())
    }

    /// Every write in the outbox, in the order in which they were enqueued.
    public func items() async -> Result<[OutboxItem], RepositoryError> {
        let sending = sending
        return await database.read { [sealing] connection throws(DatabaseError) in
            try connection.items(atMost: .max, sending: sending, sealing)
        }
    }

    /// What is shown for a key: the value of the last write with one that is neither done nor parked.
    ///
    /// - Returns: The value; `nil` if there is none.
    public func value<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self,
        for key: String
    ) async -> Result<Value?, RepositoryError> {
        let shown = await database.read { [sealing] connection throws(DatabaseError) in
            try connection.shown(for: key, sealing)
        }
        return shown.flatMap { value in
            guard let value else { return .success(nil) }
            do {
                return .success(try value.decode(type))
            } catch {
                let failure = DecodingFailure(model: "\(type)", reason: "the kept value has another shape")
                return .failure(.decodeError(failure))
            }
        }
    }

    /// What is in the outbox, each time it changes, from now on.
    public nonisolated var states: OutboxStates { OutboxStates(self) }

    /// The state; `nil` once the outbox is closed.
    func currentState() async throws(RepositoryError) -> OutboxState? {
        if isClosed { return nil }
        let sending = sending
        let (counts, items) = try await database.read { [sealing] connection throws(DatabaseError) in
            (try connection.counts(), try connection.items(atMost: 100, sending: sending, sealing))
        }.get()
        return OutboxState(
            pending: counts.pending - min(sending.count, counts.pending),
            sending: min(sending.count, counts.pending),
            parked: counts.parked,
            items: items
        )
    }

    /// Lets a parked write go on, in its old place, with the same idempotency key; and with it those that were parked
    /// because of it alone.
    ///
    /// It is sent with the next drain.
    ///
    /// - Returns: Nothing; or ``RepositoryError/invalidRequest(reason:)`` if it is not parked by itself.
    @discardableResult
    public func retry(_ id: OutboxItem.ID) async -> Result<Void, RepositoryError> {
        let result = await database.write { [sealing] connection throws(DatabaseError) in
            try connection.retry(id, sealing)
        }
        return await result.asyncFlatMap { shown in
            guard let shown else { return .failure(.invalidRequest(reason: "the write is not parked by itself")) }
            self.bell.ring()
            await self.line.apply(shown)
            return .success(())
        }
    }

    /// Gives a write up, and takes its value back.
    ///
    /// Those that depend on it are parked, with ``OutboxFailure/discardedDependency``: they are sent without it if they are
    /// retried.
    ///
    /// It comes either before the write is taken up, and then it is never sent, or too late: whether this outbox sends, or
    /// another one of the same file.
    ///
    /// - Returns: Nothing; or ``RepositoryError/invalidRequest(reason:)`` if it is under way, or not in the outbox.
    @discardableResult
    public func discard(_ id: OutboxItem.ID) async -> Result<Void, RepositoryError> {
        let result = await database.write { [sealing] connection throws(DatabaseError) in
            try connection.discard(id, sealing)
        }
        return await result.asyncFlatMap { discarded in
            switch discarded {
            case .unknown: return .failure(.invalidRequest(reason: "there is no such write"))
            case .tooLate: return .failure(.invalidRequest(reason: "the write is under way"))
            case .gone(let hidden):
                self.bell.ring()
                await self.line.rollBack(hidden)
                return .success(())
            }
        }
    }
}

extension Result where Failure == RepositoryError {
    /// Goes on with the value, if there is one.
    func asyncFlatMap<Output>(
        _ work: (Success) async -> Result<Output, RepositoryError>
    ) async -> Result<Output, RepositoryError> {
        switch self {
        case .success(let value): await work(value)
        case .failure(let error): .failure(error)
        }
    }
}
