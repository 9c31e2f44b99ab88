package import MastheadTesting

extension HTTP2Server {
    /// One thing that a server does about a request.
    ///
    /// ```swift
    /// [.head(status: 200), .data("he"), .resetStream(.internalError)]
    /// ```
    package enum Step: Sendable {
        /// Reads on until the request is whole.
        case wholeRequest
        /// Waits until the gate is open; the connection waits with it.
        case gate(ScriptedServer.Gate)
        /// The head of an answer, with a status and fields whose names are in lower case.
        case head(status: Int, fields: [(String, String)] = [], isLast: Bool = false)
        /// A piece of an answer's body, at most 16,384 bytes.
        case data(String, isLast: Bool = false)
        /// Has no room for more of the request's body, and does not say so.
        case takesNoMore
        /// Ends the stream alone.
        case resetStream(ErrorCode)
        /// Announces the end of the connection (RFC 9113, section 6.8).
        case goAway(LastStream, ErrorCode = .noError)
        /// Bytes that belong into no HTTP/2.
        case garbage
        /// Closes the connection with a closing alert.
        case close
        /// Closes the connection without a word.
        case cut
        /// Resets the connection.
        case resetConnection

        /// A whole answer.
        package static func answer(_ body: String, status: Int = 200) -> [Step] {
            [.wholeRequest, .head(status: status), .data(body, isLast: true)]
        }

        /// Refuses this stream alone, before anything was done for it (RFC 9113, section 8.7).
        package static let refused = Step.resetStream(.refusedStream)
    }

    /// Which stream a GOAWAY names as the last that was, or may have been, processed.
    package enum LastStream: Sendable {
        /// This request's own.
        case this
        /// The one before: this request, and whatever comes after it, was not processed.
        case before
        /// None.
        case none
        /// The highest there can be: a warning that the end comes.
        case any
    }

    /// Why a stream or a connection ends (RFC 9113, section 7).
    package enum ErrorCode: UInt32, Sendable {
        case noError = 0
        case internalError = 2
        case refusedStream = 7
        case cancel = 8
        case http11Required = 13
    }
}
