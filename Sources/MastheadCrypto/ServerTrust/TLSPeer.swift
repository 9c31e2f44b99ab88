/// What is known of the server at the other end of one TLS connection, as long as the connection lives.
package final class TLSPeer: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: touched only by the thread that drives the connection, one at a time.

    /// What was verified when the connection was made; `nil` if it went on with an earlier session.
    package internal(set) var chain: VerifiedChain?

    /// Whether the server has said that nothing more comes (RFC 8446, section 6.1).
    package internal(set) var hasSaidGoodbye = false

    /// Whether its sessions are not to be gone on with, neither those that are known nor those that are yet to come: a server
    /// of TLS 1.3 gives out new ones at any time (RFC 8446, section 4.6.1).
    var isForgotten = false

    /// What its judge wants to remember of it; forgotten when it shows another chain.
    package var judgement: AnyObject?
}
