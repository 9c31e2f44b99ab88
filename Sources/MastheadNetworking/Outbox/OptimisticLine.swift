import MastheadSQLite

/// Calls an app's store for one thing after the other, in the order in which they were asked for.
///
/// What is to be shown is read when it is told, so that the last word is always right.
actor OptimisticLine {
    /// Whether the code that runs was called by the line: it must not wait for the line's end.
    @TaskLocal static var isInside = false

    private let store: (any OptimisticStore)?
    private let database: OutboxDatabase
    private var last: Task<Void, Never>?

    init(_ store: (any OptimisticStore)?, _ database: OutboxDatabase) {
        self.store = store
        self.database = database
    }

    /// Tells what is to be shown at the start.
    func restore() async -> Result<Void, RepositoryError> {
        guard let store else { return .success(()) }
        return await database.read { [database] connection throws(DatabaseError) in
            try connection.allShown(database.sealing)
        }
        .asyncFlatMap { values in
            await self.add { await store.restore(values) }
            return .success(())
        }
    }

    /// Tells that values were added.
    func apply(_ values: [OptimisticValue]) async {
        guard let store, !values.isEmpty else { return }
        await add { [database] in
            for key in Set(values.map(\.key)) {
                if let value = await database.shown(for: key, without: nil) { await store.apply(value) }
            }
        }
    }

    /// Tells that the server has taken a write, which is still in the database.
    func commit(_ value: OptimisticValue?, answer: HTTPResponse) async {
        guard let store, let value else { return }
        await add { [database] in
            let remaining = await database.shown(for: value.key, without: value.write)
            await store.commit(value, answer: answer, remaining: remaining)
        }
    }

    /// Tells that values were taken back.
    func rollBack(_ values: [OptimisticValue]) async {
        guard let store, !values.isEmpty else { return }
        await add { [database] in
            for value in values.reversed() {
                let remaining = await database.shown(for: value.key, without: nil)
                await store.rollBack(value, remaining: remaining)
            }
        }
    }

    /// Puts work at the end of the line, and waits for it unless the line itself is what waits.
    private func add(_ work: @escaping @Sendable () async -> Void) async {
        let task = Task { [last] in
            await last?.value
            await Self.$isInside.withValue(true) { await work() }
        }
        last = task
        if !Self.isInside { await task.value }
    }
}

extension OutboxDatabase {
    /// What is shown for a key; nothing if it cannot be read.
    fileprivate func shown(for key: String, without id: OutboxItem.ID?) async -> OptimisticValue? {
        // Read even if the task is cancelled: what is shown must be right.
        let task = Task {
            await read { connection throws(DatabaseError) in
                try connection.shown(for: key, without: id, sealing)
            }
        }
        return await (try? task.value.get()) ?? nil
    }
}
