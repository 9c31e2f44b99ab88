import FoundationEssentials
import MastheadCrypto
import MastheadSQLite
import MastheadTransport

/// Keeps what is to be done at the server until it is done: offline, across restarts, in order, and once.
///
/// ```swift
/// let outbox = try await Outbox.open(in: folder, for: reader.id, sending: bookmarks).get()
///
/// let add = OutboxWrite("bookmark.add", in: "bookmarks", .post("bookmarks", body: .json(bookmark)))
///     .showing(bookmark, for: "bookmarks/\(bookmark.id)")
/// try await outbox.enqueue(add).get()
///
/// await outbox.drain()
/// ```
///
/// **Once.** A write is kept on disk when ``enqueue(_:)-(OutboxWrite)`` returns. It is removed when the server has taken it, and only
/// then; so one that was under way when the process ended is sent again. Every attempt carries the same idempotency key, in
/// the field of ``RetryPolicy/idempotencyKeyHeader``, by which the server knows it again.
///
/// **In order.** The writes of a lane are sent one after the other, those of several lanes at the same time. A write waits
/// for those that it depends on, of whatever lane.
///
/// **Nothing is lost.** No network, 407, 408, 425, 429, any refusal with a `Retry-After`, and 500 or more but 501 and 505
/// are tried again. A write that is refused otherwise is parked, and those that depend on it with it, until the app
/// retries or discards it. It holds up no other lane.
///
/// **Private.** With ``OutboxOptions/encryption`` what the writes say is sealed on disk.
///
/// **One user's.** The file is named after a digest of the user and of the configuration's origin. All is sent in the
/// session there was when the outbox was opened: when that is over, nothing more is, and what is left stays for the user's
/// next login. So open one after each login, and ``close()`` it at the logout.
///
/// Nothing is sent but by ``drain()`` and ``networkBecameAvailable()``.
public actor Outbox {
    let repository: AbstractRepository
    let session: OutboxSession
    let options: OutboxOptions
    let path: String
    let database: OutboxDatabase
    let line: OptimisticLine
    nonisolated let bell = OutboxBell()

    /// The writes under way.
    var sending: Set<OutboxItem.ID> = []
    /// The drain under way, and what it has come to so far.
    var running: Task<OutboxDrain, Never>?
    var tally = Tally()
    /// How many tasks wait for it.
    var joined = 0
    /// Whether it sends nothing more, so that who asks now must have another.
    var isEnding = false
    var lastDrain = 0
    /// Whether somebody asked for a drain since the one under way last looked for writes.
    var mustLookAgain = false
    /// The waits that need not be waited for if there is a network again.
    var pauses: [Int: Task<Void, Never>] = [:]
    var lastPause = 0
    var isClosed = false

    var sealing: OutboxSealing { database.sealing }

    nonisolated var configuration: NetworkingConfiguration { repository.configuration }

    private init(
        repository: AbstractRepository,
        options: OutboxOptions,
        path: String,
        database: OutboxDatabase,
        store: (any OptimisticStore)?
    ) {
        self.repository = repository
        self.options = options
        self.path = path
        session = OutboxSession(of: repository)
        self.database = database
        line = OptimisticLine(store, database)
    }

    /// Opens the outbox of a user, with what is left in it, and has the values of its writes shown again.
    ///
    /// - Parameters:
    ///   - folder: Where the files of all users are; it is made if it is not there, for its owner alone.
    ///   - user: Who it is, in any text that is the same after each login; it is not kept.
    ///   - repository: What sends; its session, if it has one, must be that of the user.
    ///   - optimistic: Shows the values of writes; `nil` for nobody.
    ///   - options: How it sends.
    /// - Returns: The outbox; or ``RepositoryError/fileAccess(reason:)`` if its file cannot be opened,
    ///   ``RepositoryError/wrongKey`` if it is sealed with another key, which leaves it as it is, and
    ///   ``RepositoryError/unauthenticatedSession(_:)`` if it is to be sealed with the key of a session that there is not.
    public static func open(
        in folder: String,
        for user: String,
        sending repository: AbstractRepository,
        showing optimistic: (any OptimisticStore)? = nil,
        options: OutboxOptions = OutboxOptions()
    ) async -> Result<Outbox, RepositoryError> {
        let name: String
        let sealing: OutboxSealing
        do throws(RepositoryError) {
            name = try fileName(of: user, at: repository.configuration)
            sealing = try OutboxSealing(options.encryption, for: repository)
        } catch {
            return .failure(error)
        }
        guard await OwnThread.run({ StateFolder.make(folder) }) else {
            return .failure(.fileAccess(reason: "the outbox's folder cannot be made, or others may write to it"))
        }
        let path = "\(folder)/\(name)"
        let other = try? OutboxSealing(.session, for: repository)
        return await OutboxDatabase.open(path, sealing, maybe: other).asyncFlatMap { database in
            let outbox = Outbox(
                repository: repository,
                options: options,
                path: path,
                database: database,
                store: optimistic
            )
            return await outbox.prepare().map { outbox }
        }
    }

    private func prepare() async -> Result<Void, RepositoryError> {
        let opened = await database.write { connection throws(DatabaseError) in _ = try connection.counts() }
        if case .failure = opened { return opened }
        let released = await releaseAtStart()
        if case .failure = released { return released }
        return await line.restore()
    }

    /// Removes the outbox of a user with all that is in it, without opening it: one whose key is gone, for example.
    ///
    /// - Parameters:
    ///   - folder: Where the files of all users are.
    ///   - user: Who it is.
    ///   - configuration: The configuration of what sent.
    /// - Returns: Nothing, also where there is none; or ``RepositoryError/fileAccess(reason:)`` if it cannot be removed,
    ///   or another outbox is sending from it.
    public static func remove(
        in folder: String,
        for user: String,
        at configuration: NetworkingConfiguration
    ) async -> Result<Void, RepositoryError> {
        do throws(RepositoryError) {
            return await OutboxDatabase.remove("\(folder)/\(try fileName(of: user, at: configuration))")
        } catch {
            return .failure(error)
        }
    }

    private static func fileName(
        of user: String,
        at configuration: NetworkingConfiguration
    ) throws(RepositoryError) -> String {
        let origin = try BaseURL(configuration).origin
        do throws(CryptoError) {
            return try "outbox-\(Digest.sha256("\(origin)\n\(user)".utf8).hexadecimal).db"
        } catch {
            throw .fileAccess(reason: "the outbox's name could not be digested")
        }
    }
}
