public import FoundationEssentials
public import MastheadNetworking

// Answers that are no answers.
extension ScriptedServer.Answer {
    /// These bytes instead of an answer, head and all; then the connection is closed.
    ///
    /// ```swift
    /// .raw("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n")
    /// ```
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - isClosing: Whether the connection is closed after them; if not, it waits for the next request.
    /// - Returns: The answer.
    public static func raw(_ bytes: String, isClosing: Bool = true) -> Self {
        raw(Data(bytes.utf8), isClosing: isClosing)
    }

    /// These bytes instead of an answer, head and all; then the connection is closed.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - isClosing: Whether the connection is closed after them; if not, it waits for the next request.
    /// - Returns: The answer.
    public static func raw(_ bytes: Data, isClosing: Bool = true) -> Self {
        Self(status: 0, headers: [:], content: .raw(bytes)).with { $0.ending = isClosing ? .closed : .whole }
    }

    /// Bytes that are no HTTP, always the same ones; then the connection is closed.
    public static func garbage(byteCount: Int = 256) -> Self {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        let bytes = (0..<max(0, byteCount)).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
        // Not the first letter of "HTTP": some clients take what follows such a line for a body (HTTP/0.9).
        return raw(Data([0x00]) + Data(bytes.dropFirst()))
    }

    /// No answer: the connection stays open and silent until the client or the server's end closes it.
    public static var never: Self {
        Self().with { $0.ending = .silence }
    }

    /// No answer: the connection is closed in an orderly way once the request has been read.
    public static var hangUp: Self {
        raw(Data())
    }

    /// No answer: the connection is reset once the request has been read.
    public static var reset: Self {
        Self().with { $0.ending = .reset(afterBodyBytes: nil) }
    }
}

// Answers that come late.
extension ScriptedServer.Answer {
    /// The answer, not begun before the gate is open.
    public func held(until gate: ScriptedServer.Gate) -> Self {
        with { $0.pauses.append(Pause(bodyOffset: nil, reason: .gate(gate))) }
    }

    /// The answer, held after its head and so many bytes of its body until the gate is open.
    public func held(until gate: ScriptedServer.Gate, afterBodyBytes count: Int) -> Self {
        with { $0.pauses.append(Pause(bodyOffset: max(0, count), reason: .gate(gate))) }
    }

    /// The answer, begun after a delay by the machine's clock.
    ///
    /// Prefer ``held(until:)``: a test that waits for a clock is slow on a good day and wrong on a bad one.
    public func delayed(by delay: Duration) -> Self {
        with { $0.pauses.append(Pause(bodyOffset: nil, reason: .delay(delay))) }
    }

    /// The answer, delayed by the machine's clock after its head and so many bytes of its body.
    public func delayed(by delay: Duration, afterBodyBytes count: Int) -> Self {
        with { $0.pauses.append(Pause(bodyOffset: max(0, count), reason: .delay(delay))) }
    }

    /// The answer, its body in pieces with a pause by the machine's clock after each.
    public func trickling(bytes: Int, every pause: Duration) -> Self {
        with {
            $0.pieceSize = min(max(1, bytes), AnswerWriter.maximumPieceSize)
            $0.pauseBetweenPieces = pause
        }
    }

    /// The answer, its body in pieces, each sent when the gate lets it through.
    ///
    /// ```swift
    /// let gate = ScriptedServer.Gate()
    /// let server = try ScriptedServer(.text("slow").trickling(bytes: 1, behind: gate))
    /// …
    /// try await gate.waiters(count: 1)        // the head is out, the first byte waits
    /// gate.letThrough()
    /// ```
    public func trickling(bytes: Int, behind gate: ScriptedServer.Gate) -> Self {
        with {
            $0.pieceSize = min(max(1, bytes), AnswerWriter.maximumPieceSize)
            $0.step = .gate(gate)
        }
    }

    /// The answer, an interim one (RFC 9110, section 15.2) before it; called again, one more.
    ///
    /// Interim answers are sent at once, before anything that the answer itself waits for.
    ///
    /// - Parameters:
    ///   - status: Its status, such as 103.
    ///   - headers: Its header fields.
    /// - Returns: The answer, preceded so.
    public func preceded(by status: Int, headers: HTTPHeaders = [:]) -> Self {
        with { $0.interim.append((status, headers)) }
    }
}

// Answers that break off, or lie about where they end.
extension ScriptedServer.Answer {
    /// The answer with its body in chunks (RFC 9112, section 7.1).
    ///
    /// - Parameters:
    ///   - size: How many bytes a chunk has, from 1 to 1 MiB.
    ///   - isEnded: Whether the last chunk is sent; if not, the connection is closed where it should stand.
    /// - Returns: The answer, framed so.
    public func chunked(size: Int = 1024, isEnded: Bool = true) -> Self {
        with {
            $0.framing = .chunked(isEnded: isEnded)
            $0.pieceSize = min(max(1, size), AnswerWriter.maximumPieceSize)
            if !isEnded { $0.ending = .cut(afterBodyBytes: .max) }
        }
    }

    /// The answer without a length: its body ends with the connection (RFC 9112, section 6.3).
    public func endedByClose() -> Self {
        with {
            $0.framing = .untilClose
            $0.ending = .closed
        }
    }

    /// The answer with a `Content-Length` that is not its body's.
    ///
    /// After a body that is shorter than claimed the connection is closed; bytes beyond a smaller length stay on it, in
    /// front of the next answer.
    public func claimingLength(_ length: Int) -> Self {
        with {
            $0.framing = .contentLength(length)
            if length > $0.content.byteCount { $0.ending = .cut(afterBodyBytes: .max) }
        }
    }

    /// The answer, closed without a word (over TLS: without a closing alert) after so many bytes of its body.
    public func cut(afterBodyBytes count: Int) -> Self {
        with { $0.ending = .cut(afterBodyBytes: max(0, count)) }
    }

    /// The answer, its connection reset after so many bytes of its body.
    ///
    /// What was sent before a reset may be lost on its way to the client.
    public func reset(afterBodyBytes count: Int) -> Self {
        with { $0.ending = .reset(afterBodyBytes: max(0, count)) }
    }

    /// The answer, after which the connection is closed, announced by `Connection: close` unless `isAnnounced` is `false`.
    public func closing(isAnnounced: Bool = true) -> Self {
        with {
            $0.ending = .closed
            if isAnnounced, $0.headers["Connection"] == nil { $0.headers["Connection"] = "close" }
        }
    }
}
