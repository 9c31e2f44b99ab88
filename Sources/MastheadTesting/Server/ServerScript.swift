import MastheadLock

/// Which request gets which answer.
final class ServerScript: Sendable {
    typealias Respond = @Sendable (ScriptedServer.ReceivedRequest) -> ScriptedServer.Answer?

    private let queue: Lock<[ScriptedServer.Answer]>
    private let respondToHead: Respond?
    private let respond: Respond?

    init(queue: [ScriptedServer.Answer], respondToHead: Respond?, respond: Respond?) {
        self.queue = Lock(Array(queue.reversed()))
        self.respondToHead = respondToHead
        self.respond = respond
    }

    func append(_ answers: [ScriptedServer.Answer]) {
        queue.withLock { $0.insert(contentsOf: answers.reversed(), at: 0) }
    }

    /// The answer for a request whose body has not been read, if it says how to take that; `nil` leaves both to
    /// ``answer(_:)``.
    func answer(toHead request: ScriptedServer.ReceivedRequest) -> ScriptedServer.Answer? {
        let (isEmpty, next) = queue.withLock { queue in
            (queue.isEmpty, queue.last?.upload == nil ? nil : queue.popLast())
        }
        if !isEmpty { return next }
        let answer = respondToHead?(request)
        return answer?.upload == nil ? nil : answer
    }

    /// The answer for a request; `nil` if the script has none.
    func answer(_ request: ScriptedServer.ReceivedRequest) -> ScriptedServer.Answer? {
        queue.withLock { $0.popLast() } ?? respond?(request)
    }
}
