import FoundationEssentials
import MastheadNetworking
import MastheadTesting

/// What a server can do to a request, and what its caller may then be told.
enum Fault: String, CaseIterable, Sendable {
    case late, slow, interim, excess, announcedClose, silentClose
    case hangUp, reset, resetWithin
    case stallBefore, stallWithin
    case cut, cutChunks, brokenCoding, tooBig
    case garbage, twoLengths, hugeHead
    case refusal, earlyRefusal, earlyRefusalClosed, earlyRefusalReset
    /// No fault at all.
    case none

    /// What a call may end in; anything else is a mistake.
    var allowed: Set<Ending> {
        switch self {
        // What only takes its time, and what happens to the connection afterwards, is nothing to the caller.
        case .none, .late, .slow, .interim, .excess, .announcedClose, .silentClose: [.rightAnswer]
        case .hangUp, .reset: [.lost]
        // What was sent before a reset may be lost on its way, head and all.
        case .resetWithin: [.lost, .incomplete]
        case .stallBefore, .stallWithin: [.idle]
        case .cut, .cutChunks: [.incomplete]
        case .brokenCoding: [.corrupt]
        case .tooBig: [.tooBig]
        case .garbage, .twoLengths, .hugeHead: [.noHTTP]
        case .refusal, .earlyRefusal, .earlyRefusalClosed: [.refused]
        case .earlyRefusalReset: [.refused, .lost, .incomplete]
        }
    }

    /// Whether the caller may have been left without a byte of an answer, so that what may be repeated is, once.
    var leavesNothing: Bool { allowed.contains(.lost) }

    /// Whether it comes before the request is whole.
    var isEarly: Bool { [.earlyRefusal, .earlyRefusalClosed, .earlyRefusalReset].contains(self) }

    /// Whether it ends by a time-out alone.
    var isStall: Bool { self == .stallBefore || self == .stallWithin }

    /// The answer to a request whose right answer is `text`, of at least 20 bytes; what stalls waits at `gate`, which is
    /// never opened.
    func answer(_ text: String, gate: ScriptedServer.Gate) -> ScriptedServer.Answer {
        let right = ScriptedServer.Answer.text(text)
        return switch self {
        case .none: right
        case .late: right.delayed(by: .milliseconds(2))
        case .slow: right.trickling(bytes: 7, every: .milliseconds(1))
        case .interim: right.preceded(by: 103, headers: ["Link": "</a>"])
        case .excess:
            .raw(
                "HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)HTTP/1.1 200 OK\r\n",
                isClosing: false
            )
        case .announcedClose: right.closing()
        case .silentClose: right.closing(isAnnounced: false)
        case .hangUp: .hangUp
        case .reset: .reset
        case .resetWithin: right.reset(afterBodyBytes: 5)
        case .stallBefore: right.held(until: gate)
        case .stallWithin: right.held(until: gate, afterBodyBytes: 5)
        case .cut: right.cut(afterBodyBytes: 5)
        case .cutChunks: right.chunked(size: 7, isEnded: false)
        case .brokenCoding:
            .data(Gzip.member(Array(text.utf8)).dropLast(6)).adding("gzip", for: "Content-Encoding")
        case .tooBig: .generated(byteCount: FaultRun.maximumBodySize + 1)
        case .garbage: .garbage()
        case .twoLengths: .raw("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 4\r\n\r\n\(text)")
        case .hugeHead: right.adding(String(repeating: "x", count: 300_000), for: "X-Huge")
        case .refusal: .text(text, status: 503)
        case .earlyRefusal: .text(text, status: 413).early(afterBodyBytes: 1000)
        case .earlyRefusalClosed: .text(text, status: 413).early(afterBodyBytes: 1000).closing()
        case .earlyRefusalReset: .text(text, status: 413).early(afterBodyBytes: 1000).reset(afterBodyBytes: .max)
        }
    }
}

/// How a call ended.
enum Ending: Hashable, Sendable {
    case rightAnswer
    /// The server refused with a status.
    case refused
    /// The connection was lost before the head of an answer was whole.
    case lost
    case incomplete
    case corrupt
    case tooBig
    case idle
    case noHTTP
    /// What no fault may lead to.
    case wrong(String)

    /// What a result is, where the right answer is `text`.
    init(_ result: Result<HTTPResponse, RepositoryError>, rightAnswer text: String) {
        self =
            switch result {
            case .success(let response) where response.status == 200 && response.body == Data(text.utf8): .rightAnswer
            case .success(let response): .wrong("\(response), \(response.body.count) bytes")
            case .failure(.requestError(let refusal)) where [413, 503].contains(refusal.status): .refused
            case .failure(.connectionLost): .lost
            case .failure(.incompleteBody): .incomplete
            case .failure(.corruptBody): .corrupt
            case .failure(.bodyTooLarge): .tooBig
            case .failure(.timeout(.idle)): .idle
            case .failure(.invalidResponse): .noHTTP
            case .failure(let error): .wrong("\(error)")
            }
    }
}
