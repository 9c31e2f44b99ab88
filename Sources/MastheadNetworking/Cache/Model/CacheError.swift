/// Why the cache could not keep, forget or guarantee something.
///
/// ```swift
/// do {
///     try await bookmarks.flush()
/// } catch .full {
///     showDiskIsFull()            // what was kept before is still there
/// }
/// ```
///
/// Reading throws nothing: what cannot be read is not there, and is reported to ``ModelCache/Options/onProblem``. No
/// reason holds a key, a value or a path.
@nonexhaustive
public enum CacheError: Error, Sendable, Hashable {
    /// The disk is full, or the quota is. What was there before can be read; keeping works again once there is space.
    case full

    /// The file was damaged. It was moved aside, as the name says, and an empty one is in its place.
    case damaged(movedTo: String?)

    /// Another process held the file for longer than is waited for.
    case busy

    /// A later version of the app has written the file; it was left alone.
    case newerVersion

    /// The folder or the file cannot be used; the reason says what to change.
    case unavailable(reason: String)

    /// The value does not encode.
    case unencodable(model: String, reason: String)

    /// The value has more bytes than a quarter of ``ModelCache/Options/diskLimit``: it would push everything else out.
    case tooLarge(limit: Int)

    /// It belongs to a session that is over, or to a cache that was closed; nothing was kept.
    case closed

    /// The task was cancelled before it was certain.
    case cancelled
}

extension CacheError: CustomStringConvertible {
    /// What happened, in one line for a log.
    public var description: String {
        switch self {
        case .full: "the disk is full"
        case .damaged(let name?): "the cache's file was damaged; it is kept as \(name)"
        case .damaged(nil): "the cache's file was damaged"
        case .busy: "another process holds the cache's file"
        case .newerVersion: "a later version of the app wrote the cache's file"
        case .unavailable(let reason): "the cache cannot be used: \(reason)"
        case .unencodable(let model, let reason): "\(model) does not encode: \(reason)"
        case .tooLarge(let limit): "the value has more than \(limit) bytes"
        case .closed: "its session is over, or the cache was closed"
        case .cancelled: "cancelled"
        }
    }
}
