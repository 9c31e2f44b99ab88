import FoundationEssentials

/// Cuts a stream of bytes, in whatever pieces it comes, into lines of bounded length.
///
/// A line ends with LF, CR or CRLF, and at once: a CR does not wait for the LF that may follow it. One byte order mark
/// before the first line is left out. Each byte is looked at once, and only an unfinished line is kept.
struct LineSplitter: Sendable {
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let limit: Int
    private var chunk = Data()
    private var position = 0
    private var unfinished: [UInt8] = []

    /// How much of a byte order mark there was; `nil` once it is over or there is none.
    private var markLength: Int? = 0
    private var skipsLineFeed = false

    /// Makes a splitter that takes lines of so many bytes, not counting their end.
    init(limit: Int) {
        self.limit = limit
    }

    /// Adds what came next; ask for every line of it before adding more, so that it is not copied.
    mutating func append(_ bytes: Data) {
        if position == chunk.count {
            chunk = bytes
            position = 0
        } else {
            chunk.append(bytes)
        }
    }

    /// The next line without its end; `nil` until more has come.
    ///
    /// - Throws: ``RepositoryError/bodyTooLarge(limit:)`` for a line that is too long, even if it has no end yet; and
    ///   again each time it is asked after that.
    mutating func next() throws(RepositoryError) -> Data? {
        skipMark()
        if skipsLineFeed, position < chunk.count {
            skipsLineFeed = false
            if byte(at: position) == UInt8(ascii: "\n") { position += 1 }
        }
        let end = Self.lineEnd(in: chunk.span, from: position)
        guard unfinished.count + (end ?? chunk.count) - position <= limit else { throw .bodyTooLarge(limit: limit) }
        let piece = chunk[(chunk.startIndex + position)..<(chunk.startIndex + (end ?? chunk.count))]
        guard let end else {
            unfinished.append(contentsOf: piece)
            chunk = Data()
            position = 0
            return nil
        }
        skipsLineFeed = byte(at: end) == UInt8(ascii: "\r")
        position = end + 1
        guard !unfinished.isEmpty else { return piece }
        defer { unfinished = [] }
        return Data(unfinished) + piece
    }

    /// What stands behind the last line's end when the stream is over; `nil` if nothing does.
    mutating func finish() -> Data? {
        unfinished.append(contentsOf: Self.mark.prefix(markLength ?? 0))
        markLength = nil
        defer { unfinished = [] }
        return unfinished.isEmpty ? nil : Data(unfinished)
    }

    /// Goes behind a byte order mark; one that breaks off is the text's beginning.
    private mutating func skipMark() {
        while let length = markLength, position < chunk.count {
            if byte(at: position) == Self.mark[length] {
                markLength = length + 1 < Self.mark.count ? length + 1 : nil
                position += 1
            } else {
                unfinished.append(contentsOf: Self.mark.prefix(length))
                markLength = nil
            }
        }
    }

    private func byte(at offset: Int) -> UInt8 {
        chunk[chunk.startIndex + offset]
    }

    private static func lineEnd(in bytes: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return index }
            index += 1
        }
        return nil
    }
}
