import MastheadCrypto

/// What has happened in one attempt of an exchange.
struct Attempt {
    var head: HeadReader
    /// Bytes of the answer's body.
    var received = 0
    /// Bytes of the request's body.
    var sent = 0
    /// How often libcurl was about to send.
    var sends = 0
    /// Whether libcurl wanted to send again though it had no error to tell of.
    var wasAskedAgainWithoutError = false
    /// The number of its stream, and of the last one the server said it would serve: over HTTP/2, if libcurl remarked it.
    var stream: Int?
    var lastServedStream: Int?
    /// Who judged the server of the connection that was made last for it.
    var judge: ConnectionTrust?
    /// Whether its connection was refused for a server that was asked some time ago.
    var isRefusedForThePast = false
    /// Whether its body ends with the connection alone, and who is at the other end of that.
    var isEndedByClose = false
    var peer: TLSPeer?
    /// Whether its body ended with the connection, and the server did not say that it would.
    var isCutOff: Bool { isEndedByClose && !(peer?.hasSaidGoodbye ?? false) }
    /// Why a callback stopped libcurl.
    var abort: TransportError?

    init(isSecure: Bool) {
        head = HeadReader(isSecure: isSecure)
    }
}
