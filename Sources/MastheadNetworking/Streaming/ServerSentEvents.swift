/// The events of a server, over as many answers as it takes (WHATWG HTML, section 9.2).
///
/// ```swift
/// for try await event in events(.get("issues/changes")) where event.event == "published" {
///     reload(event.data)
/// }
/// ```
///
/// When an answer ends, or its connection is lost, the server is asked again: after the pause it named, or three seconds,
/// with the `Last-Event-ID` of what came before. While no attempt gets through the pause doubles, up to a minute. It ends
/// when the server answers 204, with an error when it refuses, when the answer is no event stream, or when the eleventh
/// attempt in a row gets no answer or one of a server that is down; and with the task that reads. One task reads it.
///
/// A server that has nothing to tell keeps the connection by a comment now and then; one that is silent for longer than
/// ``NetworkingConfiguration/timeout`` is asked again.
public struct ServerSentEvents: AsyncSequence, Sendable {
    typealias Open = @Sendable (_ lastEventID: String) async -> Result<ResponseStream, RepositoryError>

    static let maximumFailures = 10

    let open: Open
    let time: any TimeSource
    let limit: Int

    /// Begins to listen.
    public func makeAsyncIterator() -> Iterator {
        Iterator(open: open, time: time, parser: ServerSentEventParser(limit: limit), limit: limit)
    }

    /// Reads event after event.
    public struct Iterator: AsyncIteratorProtocol {
        let open: Open
        let time: any TimeSource
        var parser: ServerSentEventParser
        let limit: Int
        var reader: BodyReader?
        /// Attempts since the last that got through.
        var failures = 0
        var isOver = false
        var pause = ReconnectionPause.first

        /// The next event; `nil` when the server wants no more of us.
        public mutating func next() async throws(RepositoryError) -> ServerSentEvent? {
            while !isOver {
                do throws(RepositoryError) {
                    if let event = try await nextOfAnswer() { return event }
                } catch {
                    try await rest(after: error)
                }
            }
            return nil
        }

        /// The next event; `nil` when the server wants no more of us.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(RepositoryError) -> ServerSentEvent? {
            try await next()
        }

        /// The next event of this answer, or of the next one; `nil` if it ended with nothing more.
        private mutating func nextOfAnswer() async throws(RepositoryError) -> ServerSentEvent? {
            guard let reader = try await opened() else { return nil }
            while true {
                if let event = try parser.next() { return event }
                guard let piece = try await reader.next() else {
                    throw .connectionLost(mayHaveBeenProcessed: true)
                }
                parser.append(piece)
            }
        }

        private mutating func opened() async throws(RepositoryError) -> BodyReader? {
            if let reader { return reader }
            let stream = try await open(parser.lastEventID).get()
            if stream.status == 204 {
                isOver = true
                return nil
            }
            let type = stream.headers["Content-Type"]?.lowercased() ?? ""
            guard stream.status == 200, type.prefix(while: { $0 != ";" && $0 != " " }) == "text/event-stream" else {
                isOver = true
                throw .invalidResponse(reason: "the answer is no event stream")
            }
            parser = ServerSentEventParser(lastEventID: parser.lastEventID, limit: limit)
            reader = stream.reader
            failures = 0
            return stream.reader
        }

        /// Waits before the next attempt, or ends if there is to be none.
        private mutating func rest(after error: RepositoryError) async throws(RepositoryError) {
            reader = nil
            pause = parser.retry ?? pause
            failures += 1
            guard !isOver, error.mayPass, failures <= ServerSentEvents.maximumFailures else {
                isOver = true
                throw error
            }
            let wait = ReconnectionPause.wait(after: failures, first: pause)
            do throws(CancellationError) {
                try await time.sleep(until: time.now + wait)
            } catch {
                isOver = true
                throw .cancelled
            }
        }
    }
}

/// How long to wait before a server is asked again.
enum ReconnectionPause {
    static let first: Duration = .seconds(3)
    private static let longest: Duration = .seconds(60)

    /// The first time as the server said, then longer each time, so that one that is down is not run over.
    static func wait(after failures: Int, first: Duration) -> Duration {
        failures <= 1 ? first : min(first * (1 << min(failures - 1, 16)), max(first, longest))
    }
}

extension RepositoryError {
    /// Whether the same request may do better a little later: what was lost on the way, and a server that is down.
    fileprivate var mayPass: Bool {
        switch self {
        case .connectionLost, .incompleteBody, .timeout, .refused, .dns, .noNetworkConnection: true
        case .requestError(let refusal): [429, 500, 502, 503, 504].contains(refusal.status)
        default: false
        }
    }
}
