package import CMastheadCurl

/// What is known of an exchange that ended without the head of an answer, and whether the server can have acted on it.
///
/// A server that refuses a request before it looks at it says so over HTTP/2 (RFC 9113, sections 6.8 and 8.7): with
/// GOAWAY, or with REFUSED_STREAM. libcurl tells of both in its own way, and the first only in its remarks.
package struct LostExchange: Sendable, Hashable {
    /// What can have become of the request.
    package enum Fate: Sendable, Hashable {
        /// It never left.
        case notSent
        /// The server let it be: it may be sent again, whatever it asks.
        case refused
        /// The server may have acted on it.
        case unknown
    }

    package var code: CURLcode
    /// How often libcurl was about to send.
    package var sends: Int
    /// Whether libcurl wanted to send again, and had no error to tell of.
    package var wasAskedAgainWithoutError: Bool
    package var isReused: Bool
    package var hasHead: Bool
    /// Bytes of the request that libcurl sent.
    package var requestSize: Int
    /// The number of its stream, and of the last one the server said it would serve.
    package var stream: Int?
    package var lastServedStream: Int?

    package init(
        code: CURLcode,
        sends: Int,
        wasAskedAgainWithoutError: Bool = false,
        isReused: Bool = false,
        hasHead: Bool = false,
        requestSize: Int = 0,
        stream: Int? = nil,
        lastServedStream: Int? = nil
    ) {
        self.code = code
        self.sends = sends
        self.wasAskedAgainWithoutError = wasAskedAgainWithoutError
        self.isReused = isReused
        self.hasHead = hasHead
        self.requestSize = requestSize
        self.stream = stream
        self.lastServedStream = lastServedStream
    }

    /// What can have become of it.
    package var fate: Fate {
        if hasHead { return .unknown }
        if let stream, let lastServedStream, stream > lastServedStream { return .refused }
        // libcurl itself repeats only what a server refused, as it is set up here: it asks for that with no error at
        // hand, or fails to rewind a body that it had begun to send.
        if wasAskedAgainWithoutError || code == CURLE_SEND_FAIL_REWIND { return .refused }
        if sends == 0 || code == CURLE_SEND_ERROR && isReused && requestSize == 0 { return .notSent }
        return .unknown
    }

    /// Whether it is to be sent again by the transport itself.
    ///
    /// What the server let be is, whatever it asks; and what may be repeated (RFC 9110, section 9.2.2), if the server had
    /// closed a kept connection just before, or HTTP/2's connection as a whole.
    package func mayBeSentAgain(isIdempotent: Bool) -> Bool {
        switch fate {
        case .refused: true
        case .notSent: isReused
        // Code 16 says no more than that HTTP/2 came to an end: by a GOAWAY, mostly.
        case .unknown: isIdempotent && !hasHead && (isReused || code == CURLE_HTTP2)
        }
    }
}
