public import FoundationEssentials

/// An answer whose body is read as it comes.
///
/// ```swift
/// let response = try await performStreaming(.get("export.csv")).get()
/// for try await line in response.lines() { importer.add(line) }
/// ```
///
/// The server is held back while nobody reads: no more than a quarter of a mebibyte waits in memory, however big the body
/// is. It is read once, by one task, in one of the ways below. Its length, its chunks and its content coding are checked
/// on the way: a body that ends early ends in ``RepositoryError/incompleteBody(received:expected:)`` or
/// ``RepositoryError/corruptBody(reason:)`` after what came of it. Letting go of the answer, or cancelling the task that
/// reads, ends the exchange.
public struct ResponseStream: Sendable {
    /// The status code; one of success.
    public let status: Int

    /// The header fields, as they came.
    public let headers: HTTPHeaders

    /// Where the answer came from: after redirects, the last URL.
    public let url: URL

    let reader: BodyReader

    init(_ response: HTTPResponse) {
        status = response.status
        headers = response.headers
        url = response.url
        reader = response.reader ?? BodyReader(response.body)
    }

    /// The body in pieces, of whatever size they come in.
    public var chunks: Chunks { Chunks(reader: reader) }

    /// The body as lines of text, without their ends: LF, CR or CRLF.
    ///
    /// What is not UTF-8 becomes U+FFFD. The last line need not have an end.
    ///
    /// - Parameter limit: How many bytes a line may have; a longer one ends in
    ///   ``RepositoryError/bodyTooLarge(limit:)``.
    /// - Returns: The lines.
    public func lines(limit: Int = 1 << 20) -> Lines { Lines(reader: reader, limit: limit) }

    /// The body in pieces.
    public struct Chunks: AsyncSequence, Sendable {
        let reader: BodyReader

        /// Begins to read, or goes on where another iterator stopped.
        public func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

        /// Reads piece after piece.
        public struct Iterator: AsyncIteratorProtocol {
            let reader: BodyReader

            /// The next piece; `nil` after the last.
            public mutating func next() async throws(RepositoryError) -> Data? {
                try await reader.next()
            }

            /// The next piece; `nil` after the last.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(RepositoryError) -> Data? {
                try await reader.next()
            }
        }
    }

    /// The body as lines.
    public struct Lines: AsyncSequence, Sendable {
        let reader: BodyReader
        let limit: Int

        /// Begins to read.
        public func makeAsyncIterator() -> Iterator { Iterator(reader: reader, parser: LineParser(limit: limit)) }

        /// Reads line after line.
        public struct Iterator: AsyncIteratorProtocol {
            let reader: BodyReader
            var parser: LineParser
            var isOver = false

            /// The next line; `nil` after the last.
            public mutating func next() async throws(RepositoryError) -> String? {
                while !isOver {
                    if let line = try parser.next() { return line }
                    guard let piece = try await reader.next() else {
                        isOver = true
                        return parser.finish()
                    }
                    parser.append(piece)
                }
                return nil
            }

            /// The next line; `nil` after the last.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(RepositoryError) -> String? {
                try await next()
            }
        }
    }
}
