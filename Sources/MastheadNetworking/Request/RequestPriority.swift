/// How soon a request gets one of its host's places, when all of them are taken.
///
/// ```swift
/// await perform(.get("covers/\(id)", priority: .low))   // a cover the reader may scroll to
/// ```
///
/// It orders the requests that wait for a place on ``NetworkingConfiguration/maximumConnectionsPerHost``: a higher one
/// goes first, among the same the one that came first. It changes nothing for a request that need not wait, and says
/// nothing to the server.
public enum RequestPriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// What nobody waits for yet: prefetching.
    case low

    /// What most requests are.
    case normal

    /// What a reader looks at an empty screen for.
    case high

    /// Whether the left one waits for the right one.
    public static func < (left: RequestPriority, right: RequestPriority) -> Bool { left.rawValue < right.rawValue }
}
