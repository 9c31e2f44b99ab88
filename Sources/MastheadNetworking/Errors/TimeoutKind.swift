/// Which time ran out.
///
/// ```swift
/// case .failure(.timeout(.connect)): showOffline()
/// case .failure(.timeout): offerToTryAgain()
/// ```
public enum TimeoutKind: Sendable, Hashable {
    /// No place among the host's connections in ``NetworkingConfiguration/queueTimeout``; nothing was sent.
    case queue

    /// No connection in time.
    case connect

    /// Nothing moved for ``NetworkingConfiguration/timeout``.
    case idle

    /// The whole call took longer than it may.
    case total
}

extension TimeoutKind: CustomStringConvertible {
    /// Which time ran out.
    public var description: String {
        switch self {
        case .queue: "no place among the host's connections in time"
        case .connect: "no connection in time"
        case .idle: "nothing moved for too long"
        case .total: "the call took too long"
        }
    }
}
