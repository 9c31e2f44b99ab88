/// Why the server did not give the answer that was wanted, where something stored may stand in for it.
package enum CacheFailure: Sendable, Hashable {
    /// There is no way to it, or the connection broke.
    case unreachable

    /// It answered that it is in trouble: 500, 502, 503 or 504 (RFC 5861, section 4).
    case trouble

    /// Takes an answer's status; `nil` if that is no trouble of the server's.
    package init?(status: Int) {
        guard [500, 502, 503, 504].contains(status) else { return nil }
        self = .trouble
    }
}
