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
    /// A gate may hold any number of answers, of one server or of several. Once open it stays open; ``letThrough(_:)``
    /// lets single ones go, for answers that come in steps. A server that is stopped, or a client that goes away, ends the
    /// wait of its answers. Every method is safe to call from anywhere.
    public final class Gate: Sendable {
        private struct State {
            var isOpen = false
            /// How many may pass that have not come yet.
            var passes = 0
            var nextID = 0
            var waiting: [(id: Int, pipe: WakePipe)] = []
        }

        private let state = Lock(State())
        private let arrivals = Milestones()

        /// Makes a closed gate.
        public init() {}

        /// Whether the gate has been opened.
        public var isOpen: Bool { state.withLock { $0.isOpen } }

        /// Lets go what waits, and whatever comes later; doing it again does nothing.
        public func open() {
            release { state in
                state.isOpen = true
                return state.waiting.count
            }
        }

        /// Lets so many go of those that wait, first come, first served; if fewer wait, the next to come pass as well.
        public func letThrough(_ count: Int = 1) {
            release { state in
                let released = min(max(0, count), state.waiting.count)
                state.passes += max(0, count) - released
                return released
            }
        }

        /// Waits until at least `count` answers wait at the gate.
        ///
        /// Those that were let go don't count any more, even if they have not moved yet.
        ///
        /// - Throws: `CancellationError` when the task is cancelled. Give the test a time limit: an answer that never
        ///   comes here is waited for without end.
        public func waiters(count: Int) async throws(CancellationError) {
            _ = try await arrivals.reach(count)
        }

        /// Lets the first ones go, as many as `choose` says.
        private func release(_ choose: (inout State) -> Int) {
            let released = state.withLock { state in
                let count = choose(&state)
                defer { state.waiting.removeFirst(count) }
                return state.waiting.prefix(count).map(\.pipe)
            }
            arrivals.change(by: -released.count)
            for pipe in released { pipe.wake() }
        }

        /// Waits on the thread of a connection; `false` if the connection was closed meanwhile.
        package func pass(_ socket: ClientSocket) -> Bool {
            guard !isOpen, let pipe = try? WakePipe() else { return isOpen }
            let id: Int? = state.withLock { state in
                if state.isOpen { return nil }
                if state.passes > 0 {
                    state.passes -= 1
                    return nil
                }
                state.nextID += 1
                state.waiting.append((state.nextID, pipe))
                return state.nextID
            }
            guard let id else { return true }
            arrivals.change(by: 1)
            let isConnected = socket.wait(for: pipe, milliseconds: -1)
            let hasLeft = state.withLock { state in
                guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return false }
                state.waiting.remove(at: index)
                return true
            }
            if hasLeft { arrivals.change(by: -1) }
            return isConnected
        }
    }
}
