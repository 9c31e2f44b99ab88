import FoundationEssentials
import MastheadNetworking

/// Reads requests from a connection, one after the other (RFC 9112): a head, then its body piece by piece.
struct RequestReader: ~Copyable {
    /// The parts of a head that matter for reading on and for the record.
    struct Head {
        let method: String
        let target: String
        let version: String
        let headers: HTTPHeaders

        /// Whether the client wants to use the connection again (RFC 9112, section 9.3).
        var keepsAlive: Bool {
            let options = headers.values(of: "Connection").joined(separator: ",").lowercased()
                .split(separator: ",").map { $0.trimmingPrefix(while: \.isWhitespace) }
            return version == "HTTP/1.1" && !options.contains { $0.hasPrefix("close") }
        }
    }

    /// What came is no request that could be read.
    struct Malformed: Error {
        let reason: String
    }

    /// What of the body is still to be read.
    private enum Body {
        case none
        case length(Int)
        /// Bytes of the chunk that has begun; 0 before the next one.
        case chunk(Int)
    }

    static let maximumHeadSize = 256 << 10

    private let stream: any ByteStream
    private var buffer: [UInt8] = []
    private var start = 0
    private var body = Body.none

    init(_ stream: any ByteStream) {
        self.stream = stream
    }

    // MARK: Head

    /// Reads the next head; `nil` if the client closed the connection before it.
    ///
    /// The body before it must have been read to its end.
    mutating func nextHead() throws(Malformed) -> Head? {
        guard let bytes = try readUntilEmptyLine() else { return nil }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true)[...]
        let first = Self.text(lines.popFirst() ?? [])
        let parts = first.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, !parts[0].isEmpty, !parts[1].isEmpty, ["HTTP/1.1", "HTTP/1.0"].contains(parts[2]) else {
            throw Malformed(reason: "the request line \"\(first.prefix(100))\" is none of HTTP/1.1")
        }
        var fields: [HTTPHeaders.Field] = []
        for line in lines {
            let text = Self.text(line)
            guard let field = HTTPHeaders.Field(line: text) else {
                throw Malformed(reason: "\"\(text.prefix(100))\" is no header field")
            }
            fields.append(field)
        }
        let headers = HTTPHeaders(fields)
        body = try Self.body(of: headers)
        return Head(method: parts[0], target: parts[1], version: parts[2], headers: headers)
    }

    /// How the body of a request is framed (RFC 9112, section 6.3).
    private static func body(of headers: HTTPHeaders) throws(Malformed) -> Body {
        let lengths = Set(headers.values(of: "Content-Length"))
        let codings = headers.values(of: "Transfer-Encoding")
        guard codings.isEmpty || lengths.isEmpty else {
            throw Malformed(reason: "the request has both Content-Length and Transfer-Encoding")
        }
        if !codings.isEmpty {
            guard codings.count == 1, codings[0].lowercased() == "chunked" else {
                throw Malformed(reason: "the transfer coding \"\(codings.joined(separator: ", "))\" is not known")
            }
            return .chunk(0)
        }
        guard let text = lengths.first else { return .none }
        guard lengths.count == 1, let length = number(text, radix: 10) else {
            throw Malformed(reason: "the Content-Length \"\(lengths.sorted().joined(separator: ", "))\" is none")
        }
        return length == 0 ? .none : .length(length)
    }

    /// The lines of a head, each with its LF; `nil` if the connection ended before a first byte.
    private mutating func readUntilEmptyLine() throws(Malformed) -> [UInt8]? {
        var head: [UInt8] = []
        while true {
            guard let line = try readLine() else {
                if head.isEmpty { return nil }
                throw Malformed(reason: "the connection ended within a head")
            }
            // An empty line before a request is to be passed over (RFC 9112, section 2.2).
            if line == [] {
                if head.isEmpty { continue }
                return head
            }
            head += line
            head.append(UInt8(ascii: "\n"))
            guard head.count <= Self.maximumHeadSize else { throw Malformed(reason: "the head is bigger than 256 KiB") }
        }
    }

    /// One line without its CR LF; `nil` if the connection ended before it.
    private mutating func readLine() throws(Malformed) -> [UInt8]? {
        var searched = 0
        while true {
            if let end = buffer[(start + searched)...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = buffer[start..<end]
                start = end + 1
                guard line.last == UInt8(ascii: "\r") else { throw Malformed(reason: "a line ends without CR") }
                return Array(line.dropLast())
            }
            searched = buffer.count - start
            guard searched <= Self.maximumHeadSize else { throw Malformed(reason: "a line is bigger than 256 KiB") }
            guard fill() else {
                if searched == 0 { return nil }
                throw Malformed(reason: "the connection ended within a line")
            }
        }
    }

    // MARK: Body

    /// Whether there is a body of which nothing has been read.
    var hasBody: Bool {
        if case .none = body { false } else { true }
    }

    /// Reads some of the body, at most `limit` bytes of it; `nil` at its end.
    mutating func nextPiece(atMost limit: Int) throws(Malformed) -> ArraySlice<UInt8>? {
        while true {
            switch body {
            case .none:
                return nil
            case .length(let left):
                let piece = try take(min(left, limit), of: left)
                body = piece.count == left ? .none : .length(left - piece.count)
                return piece
            case .chunk(0):
                let size = try readChunkSize()
                if size == 0 { try skipTrailers() }
                body = size == 0 ? .none : .chunk(size)
            case .chunk(let left):
                let piece = try take(min(left, limit), of: left)
                if piece.count == left, try readLine() != [] {
                    throw Malformed(reason: "a chunk is longer than its size")
                }
                body = .chunk(left - piece.count)
                return piece
            }
        }
    }

    private mutating func readChunkSize() throws(Malformed) -> Int {
        guard let line = try readLine() else { throw Malformed(reason: "the connection ended before a chunk") }
        let text = Self.text(line.prefix { $0 != UInt8(ascii: ";") }).trimming { $0 == " " || $0 == "\t" }
        guard let size = Self.number(String(text), radix: 16) else {
            throw Malformed(reason: "\"\(text.prefix(100))\" is no size of a chunk")
        }
        return size
    }

    private mutating func skipTrailers() throws(Malformed) {
        var size = 0
        while let line = try readLine(), line != [] {
            size += line.count
            guard size <= Self.maximumHeadSize else { throw Malformed(reason: "the trailers never end") }
        }
    }

    /// What has come, at least one byte and at most `count`; `missing` are still to come.
    private mutating func take(_ count: Int, of missing: Int) throws(Malformed) -> ArraySlice<UInt8> {
        if start == buffer.count {
            guard fill() else {
                throw Malformed(reason: "the connection ended \(missing) bytes before the end of a body")
            }
        }
        let end = start + min(count, buffer.count - start)
        defer { start = end }
        return buffer[start..<end]
    }

    // MARK: Bytes

    /// Reads what has come; `false` at the end.
    private mutating func fill() -> Bool {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        let kept = buffer
        let size = 64 << 10
        var count = 0
        buffer = [UInt8](unsafeUninitializedCapacity: kept.count + size) { memory, filled in
            _ = memory.update(fromContentsOf: kept)
            count = stream.read(
                into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(memory)[kept.count...])
            )
            filled = kept.count + count
        }
        return count > 0
    }

    private static func text(_ bytes: some Sequence<UInt8>) -> String {
        String(decoding: Array(bytes), as: UTF8.self)
    }

    /// A number of digits only: no sign, no white space.
    private static func number(_ text: String, radix: Int) -> Int? {
        text.utf8.first.map { $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") } == true
            ? Int(text, radix: radix) : nil
    }
}

extension HTTPHeaders.Field {
    /// A field as it stands in a head, without its line's end; `nil` if it is none.
    init?(line: String) {
        guard let colon = line.firstIndex(of: ":"), colon != line.startIndex, !line[..<colon].contains(" ") else {
            return nil
        }
        let value = line[line.index(after: colon)...].trimming { $0 == " " || $0 == "\t" }
        self.init(name: String(line[..<colon]), value: String(value))
    }
}

extension StringProtocol {
    /// What is left without such characters at both ends.
    func trimming(while isTrimmed: (Character) -> Bool) -> SubSequence {
        var rest = self[...]
        while let last = rest.last, isTrimmed(last) { rest = rest.dropLast() }
        return rest.drop(while: isTrimmed)
    }
}
