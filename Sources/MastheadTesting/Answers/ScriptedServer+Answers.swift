public import FoundationEssentials
public import MastheadNetworking

// The well-behaved answers.
extension ScriptedServer.Answer {
    /// An answer with a JSON body, sent as it is written.
    public static func json(_ body: String, status: Int = 200) -> Self {
        Self(status: status, headers: ["Content-Type": "application/json"], body: Data(body.utf8))
    }

    /// An answer with a text in UTF-8.
    public static func text(_ body: String, status: Int = 200) -> Self {
        Self(status: status, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Data(body.utf8))
    }

    /// An answer with bytes.
    public static func data(_ body: Data, contentType: String = "application/octet-stream", status: Int = 200) -> Self {
        Self(status: status, headers: ["Content-Type": contentType], body: body)
    }

    /// An answer without a body.
    public static func status(_ status: Int, headers: HTTPHeaders = [:]) -> Self {
        Self(status: status, headers: headers)
    }

    /// A redirect.
    ///
    /// - Parameters:
    ///   - target: What stands in `Location`: a URL or a reference relative to the request's (RFC 9110, section 10.2.2).
    ///   - status: The status code.
    /// - Returns: The answer.
    public static func redirect(to target: String, status: Int = 302) -> Self {
        Self(status: status, headers: ["Location": target])
    }

    /// An answer with a body that is made while it is sent, so that a big one never sits in memory.
    ///
    /// ```swift
    /// .generated(byteCount: 26) { Data("abcdefghijklmnopqrstuvwxyz".utf8.dropFirst($0.lowerBound).prefix($0.count)) }
    /// ```
    ///
    /// - Parameters:
    ///   - byteCount: The length of the body.
    ///   - contentType: Its type.
    ///   - make: Gives the bytes of a range; called in order, on the connection's thread. Giving fewer or more than
    ///     asked for ends the answer there, as a cut does.
    /// - Returns: The answer.
    public static func generated(
        byteCount: Int,
        contentType: String = "application/octet-stream",
        _ make: @escaping @Sendable (Range<Int>) -> Data
    ) -> Self {
        Self(
            status: 200,
            headers: ["Content-Type": contentType],
            content: .made(byteCount: max(0, byteCount), make: make)
        )
    }

    /// An answer with a big body that never sits in memory: the bytes 0 to 250, over and over.
    ///
    /// ```swift
    /// .generated(byteCount: 200_000_000)
    /// ```
    public static func generated(byteCount: Int, contentType: String = "application/octet-stream") -> Self {
        generated(byteCount: byteCount, contentType: contentType) { range in
            let start = pattern.startIndex + range.lowerBound % 251
            return pattern[start..<(start + range.count)]
        }
    }

    /// Long enough for the biggest piece that is sent, wherever it begins.
    private static let pattern: Data = {
        var pattern = Data(0...250)
        while pattern.count < AnswerWriter.maximumPieceSize + 251 { pattern += pattern }
        return pattern
    }()
}
