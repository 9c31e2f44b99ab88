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
    /// Whether the connection has TLS: only then may both ends have agreed on HTTP/2.
    private let isSecure: Bool

    init(isSecure: Bool) {
        self.isSecure = isSecure
    }

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
        guard line.hasName("transfer-encoding:") else { return }
        if String(decoding: line, as: UTF8.self).lowercased().contains("chunked") { isChunked = true }
    }

    /// Checks the first line (RFC 9112, section 4): libcurl finds a version and a status in `HTTP/201.1` too.
    ///
    /// It also believes an HTTP/1.1 connection that says `HTTP/2`; a hundred exchanges would then be let go at once.
    private func checkStatusLine(_ line: UnsafeBufferPointer<UInt8>) throws(TransportError) {
        let isHTTP1 = line.begins(with: "HTTP/1.1 ") || line.begins(with: "HTTP/1.0 ")
        guard isHTTP1 || isSecure && line.begins(with: "HTTP/2 ") else {
            throw .invalidResponse("the version is not one of the connection's")
        }
        let rest = line[(isHTTP1 ? 9 : 7)...].drop { $0 == UInt8(ascii: " ") }
        let status = rest.prefix { !$0.isLinearSpace && $0 != 10 }
        guard status.count == 3, status.first != UInt8(ascii: "0"),
            status.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { throw .invalidResponse("the status is none") }
    }

    /// A length that is no number, and two that differ, are an attack or a fault (RFC 9112, section 6.3): libcurl takes
    /// the digits at the start, and the last of several.
    private mutating func checkContentLength(_ line: UnsafeBufferPointer<UInt8>) throws(TransportError) {
        guard line.hasName("content-length:") else { return }
        var rest = line["content-length:".utf8.count...]
        rest = rest.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        var isLast = false
        while !isLast {
            let comma = rest.firstIndex(of: UInt8(ascii: ","))
            let length = Self.number(rest[..<(comma ?? rest.endIndex)].trimmed)
            guard let length else { throw .invalidResponse("the length of the body is no number") }
            guard contentLength == nil || contentLength == length else {
                throw .invalidResponse("two different lengths for one body")
            }
            contentLength = length
            isLast = comma == nil
            if let comma { rest = rest[(comma + 1)...] }
        }
    }

    /// The number that the digits make; `nil` if there are none, or anything else, or too many.
    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard !digits.isEmpty else { return nil }
        var number = 0
        for digit in digits {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
            let (tenfold, isTooBig) = number.multipliedReportingOverflow(by: 10)
            let (sum, isTooBigNow) = tenfold.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
            guard !isTooBig, !isTooBigNow else { return nil }
            number = sum
        }
        return number
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether these are the first bytes.
    fileprivate func begins(with text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        return count >= length && (0..<length).allSatisfy { self[$0] == text.utf8Start[$0] }
    }

    /// Whether it begins with a field's name, given in lower case and with its colon, and goes on.
    fileprivate func hasName(_ name: StaticString) -> Bool {
        let length = name.utf8CodeUnitCount
        // Nearly every other one differs in its length or its first letter.
        guard count > length, self[length - 1] == UInt8(ascii: ":"), self[0] | 0x20 == name.utf8Start[0] else {
            return false
        }
        return (1..<length).allSatisfy { self[$0] | 0x20 == name.utf8Start[$0] || self[$0] == name.utf8Start[$0] }
    }
}
