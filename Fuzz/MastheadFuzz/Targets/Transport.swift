import Dispatch
import FoundationEssentials
import Glibc
import MastheadLock
import MastheadTransport

/// Whole answers, as they come over a connection, to the transport itself.
func checkTransport(_ bytes: [UInt8]) {
    // libcurl 7.88 loses what it has read behind a line's end and a NUL: then even the cuts change the answer.
    if zip(bytes, bytes.dropFirst()).contains(where: { $0 == (0x0A, 0) }) { return }
    let bench = TransportBench.shared
    let method = ["GET", "HEAD", "POST"][pieces(of: bytes).count % 3]
    let outcome = bench.outcome(of: [bytes[...]], method)
    bench.check(outcome, WrittenAnswer(bytes, to: method))
    let cut = bench.outcome(of: pieces(of: bytes, atMost: 8), method)
    claim(cut.isAlike(outcome), "the same answer comes however it is cut: \(outcome), then \(cut)")
    let streamed = bench.outcome(of: [bytes[...]], method, streams: true)
    // A stream refuses an unknown coding before it knows that there is no body.
    let isBare = if case .success(let answer) = outcome { answer.isCoded && answer.body.isEmpty } else { false }
    claim(isBare || streamed.isAlike(outcome), "a stream brings the same: \(outcome), then \(streamed)")
    bench.checkThatNothingIsLeft()
}

/// An answer as an exchange brought it.
private struct Answer: Sendable, Equatable {
    var status: Int
    var headers: [HeaderField]
    var body: Data

    var isCoded: Bool { headers.contains { $0.name.lowercased() == "content-encoding" } }
}

private typealias Outcome = Result<Answer, TransportError>

extension Outcome {
    /// Whether both are the same answer, or none: what came before an end, and libcurl's words for it, may differ.
    fileprivate func isAlike(_ other: Outcome) -> Bool {
        switch (self, other) {
        case (.success(let left), .success(let right)): left == right
        case (.failure, .failure): true
        default: false
        }
    }
}

/// A transport over sockets of our own, for one exchange after the other.
private final class TransportBench: Sendable {
    static let shared = TransportBench()

    private static let limit = 1 << 20
    private let sockets = AnsweringSockets()
    private let transport: Transport
    private let exchanges = Lock(0)

    init() {
        var policy = TrustPolicy()
        policy.socketSource = sockets.source
        transport = Transport(policy: policy)
    }

    /// Makes one exchange.
    func outcome(of pieces: [ArraySlice<UInt8>], _ method: String, streams: Bool = false) -> Outcome {
        sockets.prepare(pieces)
        let number = exchanges.withLock { count in
            count += 1
            return count
        }
        // What is not repeated must not meet a connection that an exchange before left behind.
        let port = method == "POST" ? ":\(number % 60_000 + 1)" : ""
        var request = TransportRequest(method: method, url: "http://127.0.0.1\(port)/")
        if method == "POST" { request.body = .data(Data("body".utf8)) }
        request.limits.maximumBodySize = Self.limit
        request.limits.maximumHeadSize = 4096
        // Everything is there already: an exchange that waits has lost its way.
        request.limits.idleTimeout = .seconds(5)
        let outcome = waitFor { [request] in await streams ? self.stream(request) : self.perform(request) }
        let connections = sockets.closeAll()
        claim((1...2).contains(connections), "each exchange has a connection of its own, and not \(connections)")
        return outcome
    }

    private func perform(_ request: TransportRequest) async -> Outcome {
        do throws(TransportError) {
            let response = try await transport.perform(request)
            return .success(Answer(status: response.status, headers: response.headers, body: response.body))
        } catch {
            return .failure(error)
        }
    }

    private func stream(_ request: TransportRequest) async -> Outcome {
        do throws(TransportError) {
            let stream = try await transport.open(request)
            var body = Data()
            while let piece = try await stream.next() {
                body.append(piece)
                // A stream may be as long as it likes.
                if body.count > Self.limit { throw TransportError.bodyTooLarge(limit: Self.limit) }
            }
            return .success(Answer(status: stream.status, headers: stream.headers, body: body))
        } catch {
            return .failure(error)
        }
    }

    /// That an exchange ended in what the bytes mean, or at least in something that an answer can be.
    func check(_ outcome: Outcome, _ expected: WrittenAnswer) {
        switch outcome {
        case .success(let answer):
            claim((200...999).contains(answer.status) || answer.status == 101, "an answer is final")
            claim(answer.body.count <= Self.limit, "a body keeps to its limit")
            claim(expected != .cut, "a body that ends early is none")
            if case .whole(let status, let body) = expected, !answer.isCoded {
                claim(answer.status == status, "the status is the one that was sent")
                claim(Array(answer.body) == body, "the body is the one that was sent")
            }
        case .failure(let error):
            switch error {
            case .connectionLost, .invalidResponse, .incompleteBody, .corruptBody, .bodyTooLarge: break
            default: claim(false, "an answer can't cause \(error)")
            }
            if case .whole = expected {
                let isExcusable = if case .corruptBody = error { true } else { false }
                claim(isExcusable, "an answer that is right is taken, and not \(error)")
            }
            if case .cut = expected {
                // One that announces more than the limit is refused before it ends.
                let isSaid = if case .incompleteBody = error { true } else { error == .bodyTooLarge(limit: Self.limit) }
                claim(isSaid, "a body that ends early says so, and not \(error)")
            }
        }
    }

    func checkThatNothingIsLeft() {
        let counts = waitFor { await self.transport.counts() }
        claim(counts.active == 0 && counts.waiting == 0, "no exchange is left: \(counts)")
        guard exchanges.withLock({ $0 % 256 == 0 }) else { return }
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
        claim(descriptors < 400, "connections are closed, and \(descriptors) are open")
    }
}

/// Runs something asynchronous to its end; libFuzzer's thread has nothing else to do.
private func waitFor<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let result = Lock<Value?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Task {
        let value = await body()
        result.withLock { $0 = value }
        isDone.signal()
    }
    isDone.wait()
    guard let value = result.withLock({ $0 }) else { fatalError("no value") }
    return value
}
