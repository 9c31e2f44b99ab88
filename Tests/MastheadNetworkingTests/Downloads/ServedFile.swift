import FoundationEssentials
import MastheadNetworking
import MastheadTesting

/// A file as a good server serves it (RFC 9110, sections 13 and 14).
struct ServedFile: Sendable {
    var content: Data
    var tag: String? = "\"v1\""

    /// Bytes that are different everywhere.
    static func bytes(_ count: Int, seed: UInt64 = 1) -> Data {
        var random = SeededGenerator(seed: seed)
        var bytes = Data(capacity: count + 8)
        while bytes.count < count { withUnsafeBytes(of: random.next()) { bytes.append(contentsOf: $0) } }
        return bytes.prefix(count)
    }

    /// The whole file.
    var whole: ScriptedServer.Answer {
        var headers: HTTPHeaders = ["Accept-Ranges": "bytes"]
        headers["ETag"] = tag
        return ScriptedServer.Answer(headers: headers, body: content)
    }

    /// What is asked for: the part behind an offset if the tag is still the same, else everything.
    func answer(to request: ScriptedServer.ReceivedRequest) -> ScriptedServer.Answer {
        guard let start = Self.offset(in: request), request.headers["If-Range"] == tag else { return whole }
        return part(from: start)
    }

    /// The part from an offset to the end, or that there is none.
    func part(from start: Int) -> ScriptedServer.Answer {
        var headers: HTTPHeaders = [:]
        headers["ETag"] = tag
        guard start < content.count else {
            headers["Content-Range"] = "bytes */\(content.count)"
            return ScriptedServer.Answer(status: 416, headers: headers)
        }
        headers["Content-Range"] = "bytes \(start)-\(content.count - 1)/\(content.count)"
        return ScriptedServer.Answer(status: 206, headers: headers, body: content.dropFirst(start))
    }

    /// Where the range that is asked for begins.
    static func offset(in request: ScriptedServer.ReceivedRequest) -> Int? {
        request.headers["Range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) }
    }
}
