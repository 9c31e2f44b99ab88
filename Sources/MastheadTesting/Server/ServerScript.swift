import MastheadLock

/// Which request gets which answer.
final class ServerScript: Sendable {
    private let queue: Lock<[ScriptedServer.Answer]>
    private let respond: (@Sendable (ScriptedServer.ReceivedRequest) -> ScriptedServer.Answer?)?

    init(
        queue: [ScriptedServer.Answer],
        respond: (@Sendable (ScriptedServer.ReceivedRequest) -> ScriptedServer.Answer?)?
    ) {
        self.queue = Lock(Array(queue.reversed()))
        self.respond = respond
    }

    func append(_ answers: [ScriptedServer.Answer]) {
        queue.withLock { $0.insert(contentsOf: answers.reversed(), at: 0) }
    }

    /// The answer for a request; `nil` if the script has none.
    func answer(_ request: ScriptedServer.ReceivedRequest) -> ScriptedServer.Answer? {
        queue.withLock { $0.popLast() } ?? respond?(request)
    }
}
