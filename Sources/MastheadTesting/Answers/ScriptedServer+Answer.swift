public import FoundationEssentials
public import MastheadNetworking

extension ScriptedServer {
    /// What a ``ScriptedServer`` answers: a status, header fields, a body, and what goes wrong while it is sent.
    ///
    /// ```swift
    /// .json(#"{"id": "vol-7", "title": "Orbit"}"#)
    /// .status(404)
    /// .redirect(to: "/volumes/vol-8", status: 301)
    /// .text("too much", status: 429).adding("30", for: "Retry-After")
    /// .json(list).cut(afterBodyBytes: 10)
    /// ```
    ///
    /// `Content-Length` is added, unless the answer is chunked, ends with the connection, or has a field of that name
    /// of its own. A request with HEAD gets the head only, as do the statuses 204 and 304.
    public struct Answer: Sendable {
        /// The status code; any number, for a server may send what it likes.
        public var status: Int

        /// The header fields, sent in this order.
        public var headers: HTTPHeaders

        var content: Content
        var framing: Framing = .contentLength(nil)
        var pauses: [Pause] = []
        var pieceSize = 64 << 10
        var pauseBetweenPieces: Duration?
        /// What every piece waits for.
        var step: Pause.Reason?
        var ending: Ending = .whole
        /// Interim answers, sent first.
        var interim: [(status: Int, headers: HTTPHeaders)] = []
        /// How the request's body is taken; `nil` if the answer says nothing of it.
        var upload: Upload?

        /// Makes an answer.
        ///
        /// - Parameters:
        ///   - status: The status code.
        ///   - headers: The header fields.
        ///   - body: The body.
        public init(status: Int = 200, headers: HTTPHeaders = [:], body: Data = Data()) {
            self.init(status: status, headers: headers, content: .bytes(body))
        }

        init(status: Int, headers: HTTPHeaders, content: Content) {
            self.status = status
            self.headers = headers
            self.content = content
        }

        /// The answer with one more header field.
        public func adding(_ value: String, for name: String) -> Answer {
            with { $0.headers.append(value, for: name) }
        }

        func with(_ change: (inout Answer) -> Void) -> Answer {
            var answer = self
            change(&answer)
            return answer
        }
    }
}

extension ScriptedServer.Answer {
    /// What is sent.
    enum Content: Sendable {
        /// A body that is in memory.
        case bytes(Data)
        /// A body made while it is sent.
        case made(byteCount: Int, make: @Sendable (Range<Int>) -> Data)
        /// Bytes in place of the whole answer, head included.
        case raw(Data)

        var byteCount: Int {
            switch self {
            case .bytes(let data), .raw(let data): data.count
            case .made(let byteCount, _): byteCount
            }
        }
    }

    /// How the client learns where the body ends.
    enum Framing: Sendable, Hashable {
        /// By `Content-Length`: the true one, or the one given.
        case contentLength(Int?)
        /// By chunks; with or without the last one.
        case chunked(isEnded: Bool)
        /// By the end of the connection.
        case untilClose
    }

    /// A wait before the head (`bodyOffset` is `nil`) or after so many bytes of the body.
    struct Pause: Sendable {
        enum Reason: Sendable {
            case gate(ScriptedServer.Gate)
            case delay(Duration)
        }

        let bodyOffset: Int?
        let reason: Reason
    }

    /// What happens to the connection.
    enum Ending: Sendable, Hashable {
        /// It stays open for the next request, if the client wants that.
        case whole
        /// It is closed in an orderly way after the answer.
        case closed
        /// It is closed without a word after so many bytes of the body.
        case cut(afterBodyBytes: Int)
        /// It is reset; before the head, or after so many bytes of the body.
        case reset(afterBodyBytes: Int?)
        /// Nothing is sent and the connection stays open.
        case silence
    }
}
