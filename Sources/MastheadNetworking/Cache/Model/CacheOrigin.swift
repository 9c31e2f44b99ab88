/// Where a value comes from.
///
/// ```swift
/// if entry.origin == .disk { showHint("as of \(entry.storedAt)") }
/// ```
@nonexhaustive
public enum CacheOrigin: Sendable, Hashable {
    /// The server sent it just now.
    case network

    /// The server said just now that what was kept is still right (304).
    case revalidated

    /// It was in memory, decoded.
    case memory

    /// It was read from the disk.
    case disk
}
