/// Which time ran out.
///
/// ```swift
/// case .failure(.timeout(.connect)): showOffline()
/// case .failure(.timeout): offerToTryAgain()
/// ```
public enum TimeoutKind: Sendable, Hashable {
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
        case .connect: "no connection in time"
        case .idle: "nothing moved for too long"
        case .total: "the call took too long"
        }
    }
}
