import MastheadLock
import Synchronization

/// The loops of the process: one for each trust policy, purpose and route, gone when idle, joined before the process ends.
package final class LoopRegistry: Sendable {
    package static let shared = LoopRegistry()

    private struct State {
        var loops: [LoopKey: TransferLoop] = [:]
        var running: [ObjectIdentifier: TransferLoop] = [:]
    }

    private let state = Lock(State())

    /// The loop of a key; one that is new keeps its connections for `idleLifetime` after the last exchange.
    func loop(for key: LoopKey, idleLifetime: Duration, longestWait: Duration) -> TransferLoop {
        state.withLock { state in
            if let loop = state.loops[key] { return loop }
            let loop = TransferLoop(key: key, idleLifetime: idleLifetime, longestWait: longestWait)
            state.loops[key] = loop
            return loop
        }
    }

    /// Notes that a loop's thread runs.
    func add(_ loop: TransferLoop) {
        state.withLock { $0.running[ObjectIdentifier(loop)] = loop }
    }

    /// Forgets a loop whose thread ends; an exchange that still holds it may start it again.
    package func remove(_ loop: TransferLoop) {
        state.withLock { state in
            state.running[ObjectIdentifier(loop)] = nil
            loop.isShared.store(false, ordering: .releasing)
            if state.loops[loop.key] === loop { state.loops[loop.key] = nil }
        }
    }

    /// Ends every loop and waits for their threads: for the process's end.
    func stopAll() {
        for loop in state.withLock({ Array($0.running.values) }) { loop.stop() }
    }
}
