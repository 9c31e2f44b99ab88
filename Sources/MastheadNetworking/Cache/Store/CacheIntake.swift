import FoundationEssentials
import MastheadLock
import MastheadSQLite

/// Takes a long payload as it comes, piece by piece: it is there once it is whole, and until then it is nowhere.
///
/// One task at a time hands it pieces. Letting go of it before its end gives up what came.
final class CacheIntake: Sendable {
    private struct State {
        var buffer = Data()
        var size = 0
        var pieces = 0
        var isOver = false
    }

    private let store: CacheStore
    private let entry: NewEntry
    private let limit: Int
    private let whenKept: @Sendable () -> Void
    private let state = Lock(State())
    /// Where it stands; the jobs that come after the first need it.
    private let row = Lock<Int64?>(nil)

    /// Begins.
    ///
    /// - Parameters:
    ///   - entry: What is to be kept, without its payload.
    ///   - store: Where.
    ///   - limit: How many bytes are too many.
    ///   - whenKept: Is called once it is there.
    init(_ entry: NewEntry, in store: CacheStore, limit: Int, whenKept: @escaping @Sendable () -> Void) {
        self.entry = entry
        self.store = store
        self.limit = limit
        self.whenKept = whenKept
        store.run { [row, lock = store.intakeLock] (file, connection) throws(DatabaseError) in
            lock.share()
            let id = try file.begin(entry, connection)
            row.withLock { $0 = id }
        }
    }

    deinit { abandon() }

    /// Takes the next bytes, and waits while too much waits to be written.
    func append(_ bytes: Data) async {
        let (pieces, isTooBig) = state.withLock { state -> ([(Int, Data)], Bool) in
            guard !state.isOver else { return ([], false) }
            state.buffer += bytes
            state.size += bytes.count
            guard state.size <= limit else { return ([], true) }
            var pieces: [(Int, Data)] = []
            while state.buffer.count >= CacheFile.pieceSize {
                pieces.append((state.pieces, Data(state.buffer.prefix(CacheFile.pieceSize))))
                state.buffer = Data(state.buffer.dropFirst(CacheFile.pieceSize))
                state.pieces += 1
            }
            return (pieces, false)
        }
        if isTooBig { return abandon() }
        for (number, piece) in pieces { write(piece, number) }
        // Whoever reads is cancelled by other means.
        if !pieces.isEmpty { try? await store.waitForRoom() }
    }

    /// Has what came taken for the whole.
    func finish() {
        let end = state.withLock { state -> (rest: Data, pieces: Int, size: Int)? in
            guard !state.isOver else { return nil }
            state.isOver = true
            return (state.buffer, state.pieces, state.size)
        }
        guard let end else { return }
        if !end.rest.isEmpty || end.pieces == 0 { write(end.rest, end.pieces) }
        let count = end.pieces + (end.rest.isEmpty ? 0 : 1)
        let whenKept = whenKept
        store.run { [row, entry] (file, connection) throws(DatabaseError) in
            guard let id = row.withLock({ $0 }) else { throw CacheFile.interrupted }
            var record = entry.record
            record.size = end.size
            record.pieces = count <= 1 ? 0 : count
            try file.finish(id, entry, record, connection)
        } whenDone: {
            whenKept()
        }
    }

    /// Gives up what came.
    func abandon() {
        let isNew = state.withLock { state in
            defer {
                state.isOver = true
                state.buffer = Data()
            }
            return !state.isOver
        }
        guard isNew else { return }
        store.run { [row, revision = entry.record.revision] (file, connection) throws(DatabaseError) in
            if let id = row.withLock({ $0 }) { try file.abandon(id, revision: revision, connection) }
        }
    }

    private func write(_ piece: Data, _ number: Int) {
        store.run(size: piece.count) { [row, entry] (file, connection) throws(DatabaseError) in
            guard let id = row.withLock({ $0 }) else { throw CacheFile.interrupted }
            try file.append(piece, number, to: id, entry, connection)
        } whenFailed: { [weak self] in
            // What has a hole is not gone on with.
            self?.abandon()
        }
    }
}

extension BodyReader {
    /// The same body, which is also kept if it is read to its end.
    func kept(by intake: CacheIntake) -> BodyReader {
        BodyReader { [self] () throws(RepositoryError) in
            let piece: Data?
            do throws(RepositoryError) {
                piece = try await next()
            } catch {
                intake.abandon()
                throw error
            }
            guard let piece else {
                intake.finish()
                return nil
            }
            await intake.append(piece)
            return piece
        }
    }

    /// The payload of an answer that is kept, read piece by piece.
    ///
    /// - Parameters:
    ///   - kept: The answer.
    ///   - first: Its first piece.
    ///   - key: Its key.
    ///   - partition: Where it is kept.
    convenience init(_ kept: KeptAnswer, first: Data, key: EntryKey, in partition: CachePartition) {
        let next = Lock(0)
        let count = max(1, kept.record.pieces)
        self.init { () throws(RepositoryError) in
            let number = next.withLock { next in
                defer { next += 1 }
                return next
            }
            guard number < count, kept.record.size > 0 else { return nil }
            if number == 0 { return first }
            guard let piece = await partition.store.piece(number, of: kept.record, key: key) else {
                partition.forgetInMemory(key)
                // Something newer has taken its place meanwhile, or it had to make room.
                throw .incompleteBody(received: number * CacheFile.pieceSize, expected: kept.record.size)
            }
            return piece
        }
    }
}
