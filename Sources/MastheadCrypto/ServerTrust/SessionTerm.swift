import CMastheadOpenSSL

/// Since when, and until when, what a TLS session proves of its server is true: the same for every session that goes on
/// with it, however often.
package final class SessionTerm: Sendable {
    /// When the server's chain was verified, in seconds since 1970 by its judge's clock.
    package let start: Int

    /// The last second in which each certificate of that chain holds.
    package let end: Int

    package init(start: Int, end: Int) {
        self.start = start
        self.end = end
    }

    /// `nil` if there is no chain, or a certificate that does not say when it ends.
    convenience init?(of chain: [Certificate], start: Int) {
        let ends = chain.compactMap(\.end)
        guard let end = ends.min(), ends.count == chain.count else { return nil }
        self.init(start: start, end: end)
    }
}
