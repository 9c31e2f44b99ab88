import FoundationEssentials
import MastheadNetworking

/// Reads requests from a connection, one after the other (RFC 9112).
struct RequestReader: ~Copyable {
    /// What one attempt to read gave.
    enum Outcome {
        case request(ScriptedServer.ReceivedRequest, keepsAlive: Bool)
        /// The client closed the connection between two requests.
        case end
        /// What came is no request that could be read; the reason.
        case malformed(String)
    }

    /// The parts of a head that matter for reading on.
    private struct Head {
        let method: String
        let target: String
        let version: String
        let headers: HTTPHeaders
    }

    private struct Malformed: Error {
        let reason: String
    }

    static let maximumHeadSize = 256 << 10
    static let keptBodySize = 64 << 20

    private let stream: any ByteStream
    private let connection: Int
    private var buffer: [UInt8] = []
    private var start = 0

    init(_ stream: any ByteStream, connection: Int) {
        self.stream = stream
        self.connection = connection
    }

    /// Reads the next request whole, its body included.
    mutating func next() -> Outcome {
        do throws(Malformed) {
            guard let head = try readHead() else { return .end }
            let expectsContinue = head.headers["Expect"]?.lowercased() == "100-continue"
            let body = try readBody(head.headers) { [stream] in
                guard expectsContinue else { return true }
                return Array("HTTP/1.1 100 Continue\r\n\r\n".utf8).withUnsafeBytes { stream.write($0) }
            }
            let request = ScriptedServer.ReceivedRequest(
                method: head.method,
                target: head.target,
                version: head.version,
                headers: head.headers,
                body: body.kept,
                bodyLength: body.length,
                connection: connection
            )
            let options = head.headers.values(of: "Connection").joined(separator: ",").lowercased()
                .split(separator: ",").map { $0.trimmingPrefix(while: \.isWhitespace) }
            return .request(
                request,
                keepsAlive: head.version == "HTTP/1.1" && !options.contains { $0.hasPrefix("close") }
            )
        } catch {
            return .malformed(error.reason)
        }
    }

    // MARK: Head

    private mutating func readHead() throws(Malformed) -> Head? {
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
            guard let colon = text.firstIndex(of: ":"), colon != text.startIndex, !text[..<colon].contains(" ") else {
                throw Malformed(reason: "\"\(text.prefix(100))\" is no header field")
            }
            let value = text[text.index(after: colon)...].trimming { $0 == " " || $0 == "\t" }
            fields.append(HTTPHeaders.Field(name: String(text[..<colon]), value: String(value)))
        }
        return Head(method: parts[0], target: parts[1], version: parts[2], headers: HTTPHeaders(fields))
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

    private mutating func readBody(
        _ headers: HTTPHeaders,
        begin: () -> Bool
    ) throws(Malformed) -> (kept: Data, length: Int) {
        let lengths = Set(headers.values(of: "Content-Length"))
        let codings = headers.values(of: "Transfer-Encoding")
        guard codings.isEmpty || lengths.isEmpty else {
            throw Malformed(reason: "the request has both Content-Length and Transfer-Encoding")
        }
        var body = (kept: Data(), length: 0)
        if !codings.isEmpty {
            guard codings.count == 1, codings[0].lowercased() == "chunked" else {
                throw Malformed(reason: "the transfer coding \"\(codings.joined(separator: ", "))\" is not known")
            }
            guard begin() else { throw Malformed(reason: "the connection ended before the body") }
            try readChunks(into: &body)
        } else if let text = lengths.first {
            guard lengths.count == 1, let length = Self.number(text, radix: 10) else {
                throw Malformed(reason: "the Content-Length \"\(lengths.sorted().joined(separator: ", "))\" is none")
            }
            if length > 0 {
                guard begin() else { throw Malformed(reason: "the connection ended before the body") }
                try read(length, into: &body)
            }
        }
        return body
    }

    private mutating func readChunks(into body: inout (kept: Data, length: Int)) throws(Malformed) {
        while true {
            guard let line = try readLine() else { throw Malformed(reason: "the connection ended before a chunk") }
            let text = Self.text(line.prefix { $0 != UInt8(ascii: ";") }[...]).trimming { $0 == " " || $0 == "\t" }
            guard let size = Self.number(String(text), radix: 16) else {
                throw Malformed(reason: "\"\(text.prefix(100))\" is no size of a chunk")
            }
            if size == 0 { break }
            try read(size, into: &body)
            guard try readLine() == [] else { throw Malformed(reason: "a chunk is longer than its size") }
        }
        var trailerSize = 0
        while let line = try readLine(), line != [] {
            trailerSize += line.count
            guard trailerSize <= Self.maximumHeadSize else { throw Malformed(reason: "the trailers never end") }
        }
    }

    private mutating func read(_ count: Int, into body: inout (kept: Data, length: Int)) throws(Malformed) {
        var missing = count
        while missing > 0 {
            if start == buffer.count {
                guard fill() else {
                    throw Malformed(reason: "the connection ended \(missing) bytes before the end of a body")
                }
            }
            let available = min(missing, buffer.count - start)
            let kept = min(available, Self.keptBodySize - body.kept.count)
            body.kept.append(contentsOf: buffer[start..<(start + kept)])
            body.length += available
            start += available
            missing -= available
        }
    }

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

extension StringProtocol {
    /// What is left without such characters at both ends.
    func trimming(while isTrimmed: (Character) -> Bool) -> SubSequence {
        var rest = self[...]
        while let last = rest.last, isTrimmed(last) { rest = rest.dropLast() }
        return rest.drop(while: isTrimmed)
    }
}
