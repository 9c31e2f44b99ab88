import MastheadLock

extension ScriptedServer {
    /// Holds answers until the test lets them go, so that a test of something slow needs no sleeping.
    ///
    /// ```swift
    /// let gate = ScriptedServer.Gate()
    /// let server = try ScriptedServer(.json(#"{"id": "vol-7"}"#).held(until: gate))
    ///
    /// async let volume = repository.volume("vol-7")
    /// try await gate.waiters(count: 1)    // the request has come, the answer is ready and waits
    /// #expect(activity.isRunning)
    /// gate.open()
    /// ```
    ///
    /// A gate may hold any number of answers, of one server or of several. Once open it stays open. A server that is
    /// stopped, or a client that goes away, ends the wait of its answers. Every method is safe to call from anywhere.
    public final class Gate: Sendable {
        private struct State {
            var isOpen = false
            var nextID = 0
            var waiting: [Int: WakePipe] = [:]
        }

        private let state = Lock(State())
        private let arrivals = Milestones()

        /// Makes a closed gate.
        public init() {}

        /// Whether the gate has been opened.
        public var isOpen: Bool { state.withLock { $0.isOpen } }

        /// Lets go what waits, and whatever comes later; doing it again does nothing.
        public func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                return Array(state.waiting.values)
            }
            for pipe in waiting { pipe.wake() }
        }

        /// Waits until at least `count` answers wait at the gate.
        ///
        /// - Throws: `CancellationError` when the task is cancelled. Give the test a time limit: an answer that never
        ///   comes here is waited for without end.
        public func waiters(count: Int) async throws(CancellationError) {
            _ = try await arrivals.reach(count)
        }

        /// Waits on the thread of a connection; `false` if the connection was closed meanwhile.
        func pass(_ socket: ClientSocket) -> Bool {
            guard !isOpen, let pipe = try? WakePipe() else { return isOpen }
            let id: Int? = state.withLock { state in
                guard !state.isOpen else { return nil }
                state.nextID += 1
                state.waiting[state.nextID] = pipe
                return state.nextID
            }
            guard let id else { return true }
            arrivals.change(by: 1)
            let isConnected = socket.wait(for: pipe, milliseconds: -1)
            arrivals.change(by: -1)
            state.withLock { $0.waiting[id] = nil }
            return isConnected
        }
    }
}
