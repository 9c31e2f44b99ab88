import FoundationEssentials
import MastheadLock
import MastheadSQLite

/// A partition's file: what is written goes there in the order in which it came, many changes in one transaction.
///
/// The file is opened when it is first needed. One that is damaged is moved aside once and an empty one taken in its
/// place; any other trouble is told.
final class CacheStore: Sendable {
    struct State {
        /// The rows that were used, in that order, and are not told to the file yet.
        var touched: [Int64] = []
        /// Whether the file is being told of some.
        var isTelling = false
        /// How many bytes may come before the file is to be told again what is used; 0 if that is not known.
        var unaskedRoom = 0
        /// How many uses it was not told of since.
        var passedOver = 0
        /// How often something could not be read.
        var readFailures = 0
        /// What kept a change from being written since the last ``flush()``.
        var failure: CacheError?
        /// How many bytes wait to be written, and who waits for them to be fewer.
        var waiting = 0
        var jobs = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
        /// Whether it was looked for what was left by a process that ended.
        var hasTidied = false

        /// Whether more may come.
        var hasRoom: Bool { waiting < CacheStore.room && jobs < CacheStore.jobLimit }
    }

    /// How many bytes may wait to be written before whoever has more waits.
    private static let room = 8 << 20

    /// How many changes may wait.
    private static let jobLimit = 4096

    /// How many uses are told to the file at once.
    static let touchLimit = 512

    /// How many uses are passed over before it is asked again whether there is room.
    static let passLimit = 64 * touchLimit

    let database: Database
    let file: CacheFile
    /// What has uses of its own told once, until they are to be told anew.
    let memory: MemoryTier
    private let report: (@Sendable (CacheProblem) -> Void)?
    let state = Lock(State())
    /// Held while payloads come piece by piece.
    let intakeLock: IntakeLock

    init(
        file path: String,
        sealer: CacheSealer?,
        memory: MemoryTier,
        _ options: ModelCache.Options,
        _ whenOpening: @escaping @Sendable () throws(DatabaseError) -> Void
    ) {
        let report = options.onProblem
        let changed = CacheProblem.unreadable(.unavailable(reason: "a sealed piece was changed"))
        file = CacheFile(
            sealer: sealer,
            limit: options.diskLimit,
            whenUnreadable: { report?(changed) },
            whenInTransaction: options.whenInTransaction
        )
        self.report = report
        self.memory = memory
        intakeLock = IntakeLock(path: path + ".lock")
        var settings = DatabaseOptions()
        settings.pageSize = 8192
        settings.cacheKiB = 1024
        settings.erasesDeleted = true
        settings.whenOpening = whenOpening
        database = Database(path: path, schema: CacheSchema.schema, options: settings)
    }

    /// How often something could not be read so far: who sees it grow has maybe not seen all there is.
    var readFailures: Int { state.withLock { $0.readFailures } }

    // MARK: Writing

    /// Has a change made, after those before it.
    ///
    /// - Parameters:
    ///   - change: The change.
    ///   - size: How many bytes wait with it.
    ///   - whenDone: Is told where the payloads stand; `nil` if it failed, which is reported.
    func enqueue(_ change: CacheChange, size: Int = 0, whenDone: @escaping @Sendable ([Int64: Int64]?) -> Void) {
        // What makes room for it goes by what was used last.
        if case .put = change { flushTouches(atLeast: 1) }
        begin(size)
        database.enqueue { [file] (connection) throws(DatabaseError) in
            try file.make(change, connection)
        } whenDone: { [self] result in
            end(size)
            switch result {
            case .success(let rows): whenDone(rows)
            case .failure(let error):
                whenDone(nil)
                failed(error)
            }
        }
    }

    /// Has something done to the file, after what came before it.
    ///
    /// - Parameters:
    ///   - size: How many bytes wait with it.
    ///   - job: What to do; it may be done twice.
    ///   - whenDone: Is called if it was done.
    ///   - whenFailed: Is called if it was not, which is reported.
    func run(
        size: Int = 0,
        _ job: @escaping @Sendable (CacheFile, Connection) throws(DatabaseError) -> Void,
        whenDone: @escaping @Sendable () -> Void = {},
        whenFailed: @escaping @Sendable () -> Void = {}
    ) {
        begin(size)
        database.enqueue { [file] (connection) throws(DatabaseError) in
            try job(file, connection)
        } whenDone: { [self] (result: Result<Void, DatabaseError>) in
            end(size)
            switch result {
            case .success: whenDone()
            case .failure(let error):
                whenFailed()
                failed(error)
            }
        }
    }

    /// Counts what begins to wait.
    private func begin(_ size: Int) {
        tidy()
        state.withLock { state in
            state.waiting += size
            state.jobs += 1
        }
        grow(by: size + 1024)
    }

    /// Has taken out, before the first that is written, what came of payloads to a process that ended meanwhile.
    private func tidy() {
        let isFirst = state.withLock { state in
            defer { state.hasTidied = true }
            return !state.hasTidied
        }
        guard isFirst else { return }
        database.enqueue { [file, intakeLock] (connection) throws(DatabaseError) in
            guard try file.isAwaiting(connection) else { return }
            try intakeLock.ifAlone { () throws(DatabaseError) in try file.abandonAll(connection) }
        } whenDone: { _ in
        }
    }

    /// Counts what waits no longer, and lets those go on who waited for that.
    private func end(_ size: Int) {
        let waiters = state.withLock { state in
            state.waiting -= size
            state.jobs -= 1
            guard state.hasRoom else {
                return [CheckedContinuation<Void, Never>]()
            }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Makes a change, after those before it, and waits until it is on disk.
    func perform(_ change: CacheChange) async throws(CacheError) {
        try await perform { (file, connection) throws(DatabaseError) in _ = try file.make(change, connection) }
    }

    /// Keeps many models, after the changes before, and waits until they are on disk.
    ///
    /// - Throws: What kept one of them from becoming bytes, or all from being written.
    func perform(_ models: NewModels) async throws(CacheError) {
        let failure = Lock<CacheError?>(nil)
        let growth = Lock(0)
        do throws(CacheError) {
            try await perform { (file, connection) throws(DatabaseError) in
                let size = try file.put(models, failure, connection)
                growth.withLock { $0 = size }
            }
            grow(by: growth.withLock { $0 })
        } catch {
            throw failure.withLock { $0 } ?? error
        }
    }

    private func perform(
        _ job: @escaping @Sendable (CacheFile, Connection) throws(DatabaseError) -> Void
    ) async throws(CacheError) {
        tidy()
        do throws(DatabaseError) {
            try await database.write { [file] (connection) throws(DatabaseError) in try job(file, connection) }
        } catch {
            await take(error, asReading: false)
            throw CacheError(error)
        }
    }

    /// Waits while more waits to be written than memory should hold.
    func waitForRoom() async throws(CacheError) {
        if !state.withLock({ $0.hasRoom }) {
            await withCheckedContinuation { continuation in
                let isRoom = state.withLock { state in
                    guard !state.hasRoom else { return true }
                    state.waiters.append(continuation)
                    return false
                }
                if isRoom { continuation.resume() }
            }
        }
        if Task.isCancelled { throw .cancelled }
    }

    /// Waits until everything before is on disk, whatever became of it.
    func settle() async throws(CacheError) {
        do throws(DatabaseError) {
            try await database.flush()
        } catch {
            throw CacheError(error)
        }
    }

    /// Waits until everything before is on disk.
    func flush() async throws(CacheError) {
        flushTouches(atLeast: 1)
        try await settle()
        // What was used while the file was told of others.
        flushTouches(atLeast: 1)
        try await settle()
        let failure = state.withLock { state in
            defer { state.failure = nil }
            return state.failure
        }
        if let failure { throw failure }
    }

    // MARK: An end

    /// Writes what waits, and closes the file.
    func close() async throws(CacheError) {
        defer { intakeLock.release() }
        do throws(CacheError) {
            try await flush()
        } catch {
            await database.close()
            throw error
        }
        await database.close()
    }

    /// Closes the file and removes it.
    func remove() async {
        try? await database.closeAndRemove()
        intakeLock.release()
    }

    // MARK: Trouble

    private func failed(_ error: DatabaseError) {
        // At once: whoever waits for it is told as soon as this returns.
        if error != .cancelled, error != .closed { state.withLock { $0.failure = CacheError(error) } }
        Task { await take(error, asReading: false) }
    }

    /// Reports an error, and moves a damaged file aside.
    func take(_ error: DatabaseError, asReading isReading: Bool) async {
        guard error != .cancelled, error != .closed else { return }
        if isReading { state.withLock { $0.readFailures += 1 } }
        var problem = CacheError(error)
        if case .damaged = error {
            let moved = (try? await database.quarantine()) ?? nil
            problem = .damaged(movedTo: moved?.path.split(separator: "/").last.map { String($0) })
        }
        report?(isReading ? .unreadable(problem) : .unwritable(problem))
    }
}
