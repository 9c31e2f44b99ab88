import FoundationEssentials

/// Something to be done at the server, now or when there is a way to it.
///
/// ```swift
/// let add = OutboxWrite("bookmark.add", in: "bookmarks", .post("bookmarks", body: .json(bookmark)))
///     .showing(bookmark, for: "bookmarks/\(bookmark.id)")
/// let note = OutboxWrite("note.add", in: "notes", .post("notes", body: .json(note)), after: [add.id])
/// ```
///
/// What is kept of its request is the method, the path, the query, its own header fields, and the body in bytes. Those of
/// the repository and of the configuration, the session's token and a signature are added each time it is sent, and a
/// field that is a secret is refused: none is kept. A body of files or of a stream cannot be kept.
public struct OutboxWrite: Sendable, Identifiable {
    /// Which write it is, for good: the same in every process.
    public let id: OutboxItem.ID

    /// What it is to the app, such as `bookmark.add`: it comes back in ``OutboxItem/kind``.
    public let kind: String

    /// The line it stands in: the writes of one lane are sent one after the other, in the order they were enqueued in.
    public let lane: String

    /// What to send.
    public let request: Request<Void>

    /// The writes that must have been done before it, of whatever lane.
    public let dependencies: [OutboxItem.ID]

    /// What is shown in the meantime, once it is encoded.
    private(set) var value: Value?

    struct Value: Sendable {
        let key: String
        let encode: @Sendable () throws -> Data
    }

    /// Makes a write, which is kept when it is enqueued.
    ///
    /// - Parameters:
    ///   - kind: What it is to the app.
    ///   - lane: The line it stands in.
    ///   - request: What to send. A field of the name ``RetryPolicy/idempotencyKeyHeader`` is its idempotency key, if it
    ///     has one; otherwise ``id`` is.
    ///   - dependencies: The writes that must have been done before it; each must have been enqueued before, and one that
    ///     is not in the outbox any more counts as done.
    public init(
        _ kind: String,
        in lane: String,
        _ request: Request<Void>,
        after dependencies: [OutboxItem.ID] = []
    ) {
        id = OutboxItem.ID()
        self.kind = kind
        self.lane = lane
        self.request = request
        self.dependencies = dependencies
    }

    /// The same write, with a value that is shown for a key until the server has taken the write, or the app has given it
    /// up: see ``OptimisticStore``.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: What it is the value of; any text.
    /// - Returns: The write.
    public func showing(_ value: some Encodable & Sendable, for key: String) -> OutboxWrite {
        var write = self
        write.value = Value(key: key) { try JSONEncoder().encode(value) }
        return write
    }
}
