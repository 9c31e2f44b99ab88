/// Collects the lines of an answer's head, and checks what libcurl doesn't.
struct HeadReader {
    /// The lines so far, those of interim answers left out.
    private(set) var lines: [UInt8] = []
    /// Whether the last line of a final answer's head has come.
    private(set) var isComplete = false
    /// What `Content-Length` says.
    private(set) var contentLength: Int?
    /// Whether `Transfer-Encoding` says that the body tells its own end.
    private var isChunked = false
    /// Bytes of all heads and trailers so far.
    private var size = 0
    private let versions: [[UInt8]]

    /// Makes a reader; only a connection over TLS may have agreed on HTTP/2.
    init(isSecure: Bool) {
        versions = isSecure ? Self.secureVersions : Self.plainVersions
    }

    private static let plainVersions = ["HTTP/1.1 ", "HTTP/1.0 "].map { Array($0.utf8) }
    private static let secureVersions = plainVersions + [Array("HTTP/2 ".utf8)]

    /// Takes one line.
    ///
    /// - Returns: Whether it completed the head.
    mutating func receive(_ line: UnsafeBufferPointer<UInt8>, limit: Int) throws(TransportError) -> Bool {
        size += line.count
        guard size <= limit else { throw .invalidResponse("header fields of more than \(limit) bytes") }
        // What comes after the head's end are trailers: not fields of the answer.
        guard !isComplete else { return false }
        if line.count <= 2, line.allSatisfy({ $0 == 13 || $0 == 10 }) {
            endHead()
            return isComplete
        }
        if lines.isEmpty {
            try checkStatusLine(line)
            lines.reserveCapacity(512)
        }
        lines.append(contentsOf: line)
        try checkContentLength(line)
        noteTransferCoding(line)
        return false
    }

    /// An interim answer (RFC 9110, section 15.2) is none yet; 101 is the last word on its connection.
    private mutating func endHead() {
        let status = lines.drop { $0 != UInt8(ascii: " ") }.drop { $0 == UInt8(ascii: " ") }
        guard status.first == UInt8(ascii: "1"), !status.starts(with: "101".utf8) else {
            isComplete = true
            return
        }
        lines.removeAll(keepingCapacity: true)
        contentLength = nil
        isChunked = false
    }

    /// Whether the body ends with its connection alone (RFC 9112, section 6.3), if the answer has one.
    var isEndedByClose: Bool {
        guard contentLength == nil, !isChunked, lines.starts(with: "HTTP/1".utf8) else { return false }
        let status = lines.drop { $0 != UInt8(ascii: " ") }.drop { $0 == UInt8(ascii: " ") }.prefix(3)
        return !["204", "304"].contains { status.elementsEqual($0.utf8) }
    }

    private mutating func noteTransferCoding(_ line: UnsafeBufferPointer<UInt8>) {
        guard line.count > 18, line[0] | 0x20 == UInt8(ascii: "t"), line[17] == UInt8(ascii: ":") else { return }
        let text = String(decoding: line, as: UTF8.self).lowercased()
        if text.hasPrefix("transfer-encoding:"), text.contains("chunked") { isChunked = true }
    }

    /// Checks the first line (RFC 9112, section 4): libcurl finds a version and a status in `HTTP/201.1` too.
    ///
    /// It also believes an HTTP/1.1 connection that says `HTTP/2`; a hundred exchanges would then be let go at once.
    private func checkStatusLine(_ line: UnsafeBufferPointer<UInt8>) throws(TransportError) {
        guard let version = versions.first(where: { line.starts(with: $0) }) else {
            throw .invalidResponse("the version is not one of the connection's")
        }
        let status = line[version.count...].drop { $0 == UInt8(ascii: " ") }.prefix { !$0.isLinearSpace && $0 != 10 }
        guard status.count == 3, status.first != UInt8(ascii: "0"),
            status.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw .invalidResponse("the status is none") }
    }

    /// A length that is no number, and two that differ, are an attack or a fault (RFC 9112, section 6.3): libcurl takes
    /// the digits at the start, and the last of several.
    private mutating func checkContentLength(_ line: UnsafeBufferPointer<UInt8>) throws(TransportError) {
        let name = "content-length:".utf8
        guard line.count > name.count, line[0] | 0x20 == UInt8(ascii: "c"), line[name.count - 1] == UInt8(ascii: ":"),
            zip(line, name).allSatisfy({ $0 | 0x20 == $1 || $0 == $1 })
        else { return }
        let field = line[name.count...].prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        for value in Array(field).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let digits = value.trimmed
            guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let length = Int(String(decoding: digits, as: UTF8.self))
            else { throw .invalidResponse("the length of the body is no number") }
            guard contentLength == nil || contentLength == length else {
                throw .invalidResponse("two different lengths for one body")
            }
            contentLength = length
        }
    }
}
