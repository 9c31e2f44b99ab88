import MastheadLock
import MastheadSQLite
import MastheadTransport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Keeps what a server sent and what an app wants to keep, on disk and in memory, each user's apart.
///
/// ```swift
/// let cache = ModelCache(folder: caches + "masthead")
/// let session = SessionManager<Reader>(store: store, cache: cache)
/// let issues = IssueRepository(configuration: .production, session: session, cache: cache)
///
/// switch await issues.issue("orbit-12") { … }     // asks only if what is kept is no longer fresh
/// ```
///
/// An app makes one for a folder, and hands it to its repositories and its session. Each environment has a file of its
/// own, and in it each session has one of its own (``CachePartition``); a session's end removes its file. Nothing is
/// opened before it is needed, and the file of a session that is used no more is closed. Several processes may have caches of one folder. See <doc:Caching>.
///
/// ## Topics
///
/// ### Making one
/// - ``init(folder:options:)``
/// - ``Options``
///
/// ### What is in it
/// - ``partition(for:session:)``
/// - ``CachePartition``
///
/// ### An end
/// - ``remove(_:)``
/// - ``removeAll()``
/// - ``close()``
public final class ModelCache: Sendable {
    private struct State {
        var partitions = HeldPartitions()
        /// The names of sessions that are over: nothing of theirs is ever opened again.
        var ended: Set<String> = []
        var isClosed = false
        /// How many removals are under way: no file is opened that one of them may take away.
        var removals = 0
        var nextNumber = 0
    }

    let options: Options
    let memory: MemoryTier
    private let folder: String
    private let state = Lock(State())

    /// Makes a cache; nothing is opened or made before it is needed.
    ///
    /// - Parameters:
    ///   - folder: Where its files are; it is made with mode 0700 if it is not there, its parent must be. Nothing else may
    ///     be in it.
    ///   - options: How much it may take, and whom it tells of problems.
    public init(folder: String, options: Options = Options()) {
        self.folder = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        self.options = options
        memory = MemoryTier(limit: options.memoryLimit)
    }

    /// The part of the cache for an environment, and for the user whose session it is.
    ///
    /// - Parameters:
    ///   - configuration: The environment; two of the same scheme, host, port and path have one part.
    ///   - session: Whose part it is; `nil` for the one that belongs to nobody.
    /// - Returns: The part; `nil` without a session where one was given, for one whose user has none, for an impossible
    ///   configuration, and after ``close()``.
    public func partition(
        for configuration: NetworkingConfiguration,
        session: (any RepositorySession)? = nil
    ) -> CachePartition? {
        guard let environment = CacheFileName.environment(of: configuration) else { return nil }
        guard let session else { return partition(environment, of: nil) }
        guard session.grant != nil, let user = session.partition else {
            letGo(of: environment)
            return nil
        }
        return partition(environment, of: user)
    }

    /// Nobody is logged in: users' files are closed as soon as nobody uses them any more.
    func letGo(of environment: String) {
        // Not within the lock: letting go of the last closes files.
        _ = state.withLock { $0.partitions.letGo { $0.environment == environment } }
    }

    /// The part of the cache for an environment and a user.
    func partition(_ environment: String, of user: SessionPartition?) -> CachePartition? {
        guard user?.name.isEmpty != true else { return nil }
        let name = CacheFileName(
            environment: environment,
            user: user?.name,
            isSealed: options.isEncrypted && user != nil
        )
        let (found, _) = state.withLock { state -> (CachePartition?, [CachePartition]) in
            guard !state.isClosed, !state.ended.contains(name.user) else { return (nil, []) }
            let now = options.time.now
            if let partition = state.partitions.use(name, at: now) {
                return (partition, state.partitions.tidy(at: now))
            }
            guard state.removals == 0 else { return (nil, []) }
            var sealer: CacheSealer?
            if options.isEncrypted, let user {
                // Rather nothing than something that anybody can read.
                guard let made = try? CacheSealer(key: user.key()) else { return (nil, []) }
                sealer = made
            }
            state.nextNumber += 1
            let partition = CachePartition(
                number: state.nextNumber,
                file: name.path(in: folder),
                sealer: sealer,
                memory: memory,
                options: options,
                whenOpening: { [folder] () throws(DatabaseError) in
                    guard Self.makeFolder(folder) else {
                        throw .cannotOpen(reason: "the folder cannot be made: is its parent there?")
                    }
                    // What was kept before in the other form can be found by nobody any more.
                    try? name.other.remove(from: folder)
                }
            )
            state.partitions.hold(partition, name, at: now)
            return (partition, state.partitions.tidy(at: now))
        }
        return found
    }

    /// Removes all that was kept for a user, in every environment: memory at once, then the files.
    ///
    /// A ``SessionManager`` that knows the cache does so when its session ends. What comes later for that session is not
    /// kept.
    ///
    /// - Throws: ``CacheError/unavailable(reason:)`` if a file could not be removed.
    public func remove(_ user: SessionPartition) async throws(CacheError) {
        forget(user)
        try await removeFiles { $0.user == user.name }
    }

    /// Forgets what is in memory for a user, and keeps nothing more of theirs.
    func forget(_ user: SessionPartition) {
        let partitions = state.withLock { state in
            state.ended.insert(user.name)
            return state.partitions.all.filter { $0.name.user == user.name }.map(\.partition)
        }
        for partition in partitions { partition.end() }
    }

    /// Removes all that was kept, whoever it is for.
    ///
    /// - Throws: ``CacheError/unavailable(reason:)`` if a file could not be removed; the others are removed all the same.
    public func removeAll() async throws(CacheError) {
        try await removeFiles { _ in true }
    }

    /// Writes what is not on disk yet, and closes the files; then nothing is there and nothing is kept.
    ///
    /// An app calls it before it ends, so that nothing is lost that was kept a moment before.
    ///
    /// - Throws: What kept something from being written.
    public func close() async throws(CacheError) {
        let partitions = state.withLock { state in
            state.isClosed = true
            return state.partitions.all.map(\.partition)
        }
        var failure: CacheError?
        for partition in partitions {
            do throws(CacheError) {
                try await partition.close()
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    /// Makes the folder if it is not there.
    private static func makeFolder(_ path: String) -> Bool {
        mkdir(path, 0o700) == 0 || errno == EEXIST
    }

    private func removeFiles(where condition: @escaping @Sendable (CacheFileName) -> Bool) async throws(CacheError) {
        let open = state.withLock { state in
            state.removals += 1
            return state.partitions.all.filter { condition($0.name) }
        }
        defer { state.withLock { $0.removals -= 1 } }
        for (_, partition) in open { partition.end() }
        for (_, partition) in open { await partition.removeFile() }
        state.withLock { state in
            for (name, partition) in open { state.partitions.forget(partition, name) }
        }
        // Also those of earlier runs, and of environments that this one never asked for.
        let folder = folder
        let result = await OwnThread.run { () -> Result<Void, CacheError> in
            Result { () throws(CacheError) in
                var failure: CacheError?
                for name in try CacheFileName.all(in: folder) where condition(name) {
                    do throws(CacheError) {
                        try name.remove(from: folder)
                    } catch {
                        failure = failure ?? error
                    }
                }
                if let failure { throw failure }
            }
        }
        try result.get()
    }
}
