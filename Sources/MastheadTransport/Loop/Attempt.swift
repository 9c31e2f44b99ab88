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
    /// How many connections with TLS were begun for it, a proxy's among them.
    var handshakes = 0
    /// Who judged the one at the other end of the last of those.
    var judge: ConnectionTrust?
    /// Both ends of the connection that it was sent on.
    var ends: KeptSockets.Ends?
    /// Which connections it shares.
    var era = 0
    /// Why nothing was sent on its connection, if it was for pins.
    var refusal: PinRefusal?
    /// Whether that connection was refused for a server that was asked some time ago, and may serve several exchanges.
    var isRefusedForThePast = false
    var isRefusedAmongOthers = false
    /// An address that no connection was made to, since it is none of a private network's.
    var forbiddenAddress: String?
    /// Who is at the other end of its connection, if that has to be known.
    var peer: TLSPeer?
    /// Whether its body ends with the connection alone.
    var isEndedByClose = false
    /// Whether its body ended with the connection, and the server did not say that it would.
    var isCutOff: Bool { isEndedByClose && !(peer?.hasSaidGoodbye ?? false) }
    /// Why a callback stopped libcurl.
    var abort: TransportError?

    init(isSecure: Bool) {
        head = HeadReader(isSecure: isSecure)
    }
}
