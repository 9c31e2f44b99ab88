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
    /// Why a callback stopped libcurl.
    var abort: TransportError?

    init(isSecure: Bool) {
        head = HeadReader(isSecure: isSecure)
    }
}
