import FoundationEssentials
import MastheadNetworking

/// Sends one answer as it was scripted.
struct AnswerWriter {
    /// What the connection is good for afterwards.
    enum Verdict {
        case keepOpen
        case close
        /// Close without goodbye.
        case cut
        case reset
        /// Wait for the client's end.
        case silence
    }

    static let maximumPieceSize = 1 << 20

    let stream: any ByteStream
    let socket: ClientSocket

    /// Sends `answer`, if need be without its body.
    func send(_ answer: ScriptedServer.Answer, withBody allowsBody: Bool, keepsAlive: Bool) -> Verdict {
        for interim in answer.interim {
            let head = Self.lines(of: interim.status, interim.headers) + Array("\r\n".utf8)
            guard stream.write(head) else { return .cut }
        }
        for pause in answer.pauses where pause.bodyOffset == nil {
            guard pause.reason.wait(on: socket) else { return .cut }
        }
        switch answer.ending {
        case .silence: return .silence
        case .reset(afterBodyBytes: nil): return .reset
        default: break
        }
        let isRaw = if case .raw = answer.content { true } else { false }
        var head = isRaw ? [] : Self.head(of: answer, keepsAlive: keepsAlive)
        if isRaw || (allowsBody && answer.status != 204 && answer.status != 304 && answer.status >= 200) {
            guard let isWhole = sendBody(of: answer, after: &head) else { return .cut }
            guard isWhole || answer.ending.bodyLimit != nil else { return .cut }
        }
        guard head.isEmpty || stream.write(head) else { return .cut }
        return switch answer.ending {
        case .closed: .close
        case .cut: .cut
        case .reset: .reset
        case .silence: .silence
        case .whole: keepsAlive ? .keepOpen : .close
        }
    }

    // MARK: Head

    private static func head(of answer: ScriptedServer.Answer, keepsAlive: Bool) -> [UInt8] {
        var lines = ""
        switch answer.framing {
        case .contentLength(let claimed):
            let isOwn = answer.headers["Content-Length"] != nil || answer.headers["Transfer-Encoding"] != nil
            // A 204 has no length (RFC 9110, section 8.6), and that of a 304 would be the other answer's.
            if claimed != nil || (!isOwn && ![204, 304].contains(answer.status) && answer.status >= 200) {
                lines += "Content-Length: \(claimed ?? answer.content.byteCount)\r\n"
            }
        case .chunked:
            lines += "Transfer-Encoding: chunked\r\n"
        case .untilClose:
            break
        }
        if !keepsAlive, answer.headers["Connection"] == nil { lines += "Connection: close\r\n" }
        return self.lines(of: answer.status, answer.headers) + Array((lines + "\r\n").utf8)
    }

    /// The status line and the header fields.
    private static func lines(of status: Int, _ headers: HTTPHeaders) -> [UInt8] {
        var lines = "HTTP/1.1 \(status) \(reason(for: status))\r\n"
        for field in headers.fields { lines += "\(field.name): \(field.value)\r\n" }
        return Array(lines.utf8)
    }

    private static func reason(for status: Int) -> String {
        switch status {
        case 100: "Continue"
        case 103: "Early Hints"
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 409: "Conflict"
        case 410: "Gone"
        case 429: "Too Many Requests"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        default: "Scripted"
        }
    }

    // MARK: Body

    /// Sends the body, `pending` (the head) in front of it in one write with its first piece.
    ///
    /// - Returns: Whether all of it was sent; `nil` if the client or the server's end closed the connection.
    private func sendBody(of answer: ScriptedServer.Answer, after pending: inout [UInt8]) -> Bool? {
        let total = answer.content.byteCount
        let end = min(total, answer.ending.bodyLimit ?? total)
        var pauses = answer.pauses.filter { $0.bodyOffset != nil }.sorted {
            ($0.bodyOffset ?? 0) < ($1.bodyOffset ?? 0)
        }[...]
        var offset = 0
        while true {
            while let pause = pauses.first, min(pause.bodyOffset ?? 0, end) <= offset {
                guard flush(&pending), pause.reason.wait(on: socket) else { return nil }
                pauses.removeFirst()
            }
            guard offset < end else { break }
            if let step = answer.step { guard flush(&pending), step.wait(on: socket) else { return nil } }
            let next = min(offset + answer.pieceSize, end, pauses.first?.bodyOffset ?? end)
            let piece = answer.content.bytes(offset..<next)
            append(piece, to: &pending, chunked: answer.framing.isChunked)
            guard flush(&pending) else { return nil }
            guard piece.count == next - offset else { return false }
            offset = next
            if let pause = answer.pauseBetweenPieces, offset < end {
                guard ScriptedServer.Answer.Pause.Reason.delay(pause).wait(on: socket) else { return nil }
            }
        }
        if case .chunked(isEnded: true) = answer.framing, end == total {
            pending += Array("0\r\n\r\n".utf8)
        }
        return flush(&pending) ? end == total : nil
    }

    private func append(_ piece: Data, to bytes: inout [UInt8], chunked: Bool) {
        if chunked, !piece.isEmpty { bytes += Array((String(piece.count, radix: 16) + "\r\n").utf8) }
        bytes += piece
        if chunked, !piece.isEmpty { bytes += Array("\r\n".utf8) }
    }

    private func flush(_ bytes: inout [UInt8]) -> Bool {
        guard !bytes.isEmpty else { return true }
        defer { bytes.removeAll(keepingCapacity: true) }
        return stream.write(bytes)
    }
}

extension ScriptedServer.Answer.Pause.Reason {
    /// Waits on the thread of a connection; `false` if the connection was closed meanwhile.
    func wait(on socket: ClientSocket) -> Bool {
        switch self {
        case .gate(let gate): gate.pass(socket)
        case .delay(let delay): socket.wait(for: nil, milliseconds: Self.milliseconds(delay))
        }
    }

    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = duration.components
        guard seconds < 2_000_000 else { return .max }
        return Int32(max(0, seconds * 1000 + attoseconds / 1_000_000_000_000_000))
    }
}

extension ScriptedServer.Answer.Ending {
    /// How many bytes of the body go out before the connection is broken; `nil` for all.
    var bodyLimit: Int? {
        switch self {
        case .cut(let count): count
        case .reset(let count): count
        case .whole, .closed, .silence: nil
        }
    }
}

extension ScriptedServer.Answer.Framing {
    var isChunked: Bool {
        if case .chunked = self { true } else { false }
    }
}

extension ScriptedServer.Answer.Content {
    /// The bytes of a range of the body.
    func bytes(_ range: Range<Int>) -> Data {
        switch self {
        case .bytes(let data), .raw(let data):
            data[(data.startIndex + range.lowerBound)..<(data.startIndex + range.upperBound)]
        case .made(_, let make): make(range)
        }
    }
}
