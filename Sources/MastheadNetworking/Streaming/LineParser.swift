package import FoundationEssentials

/// Reads lines of text from a stream of bytes, in whatever pieces it comes.
///
/// ```swift
/// var parser = LineParser()
/// for try await chunk in chunks {
///     parser.append(chunk)
///     while let line = try parser.next() { show(line) }
/// }
/// if let line = try parser.finish() { show(line) }
/// ```
///
/// A line ends with LF, CR or CRLF, so none holds either; empty lines are lines too. One leading byte order mark is left
/// out, and what is not UTF-8 becomes U+FFFD.
package struct LineParser: Sendable {
    private let limit: Int
    private var lines: LineSplitter

    /// Makes a parser.
    ///
    /// - Parameter limit: How many bytes a line may have, not counting its end.
    package init(limit: Int = 1 << 20) {
        self.limit = limit
        lines = LineSplitter(limit: limit)
    }

    /// Adds what came next.
    package mutating func append(_ bytes: Data) {
        lines.append(bytes)
    }

    /// The next line without its end; `nil` until more has come.
    ///
    /// - Throws: ``RepositoryError/bodyTooLarge(limit:)`` for a line that is too long, and each time after that.
    package mutating func next() throws(RepositoryError) -> String? {
        try lines.next().map { String(decoding: $0, as: UTF8.self) }
    }

    /// The last line, if it has no end, when the stream is over; `nil` if it has.
    package mutating func finish() -> String? {
        lines.finish().map { String(decoding: $0, as: UTF8.self) }
    }
}
