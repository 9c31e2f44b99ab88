import MastheadLock

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Accepts connections on one thread and serves each on one of its own.
package final class ServerLoop: Sendable {
    private struct State {
        var isStopped = false
        var acceptor: WorkerThread?
        /// The open connections and their threads.
        var open: [Int: (descriptor: Int32, thread: WorkerThread?)] = [:]
        /// Threads that have ended or are about to, to be joined.
        var finished: [WorkerThread] = []
    }

    private let socket: ListeningSocket
    private let record: ServerRecord
    private let serve: @Sendable (ClientSocket, _ number: Int) -> Void
    private let wake: WakePipe
    private let maximumConnections: Int
    private let state = Lock(State())

    /// Begins to accept.
    ///
    /// - Parameters:
    ///   - socket: Where connections come in.
    ///   - maximumConnections: How many may be open; more wait until one has ended.
    ///   - record: Counts the connections and takes what goes wrong.
    ///   - serve: Serves one connection, on its own thread; when it returns, the socket is closed.
    /// - Throws: What keeps a thread from being made.
    package init(
        _ socket: ListeningSocket,
        maximumConnections: Int,
        record: ServerRecord,
        serve: @escaping @Sendable (ClientSocket, _ number: Int) -> Void
    ) throws(ScriptedServerError) {
        self.socket = socket
        self.maximumConnections = max(1, maximumConnections)
        self.record = record
        self.serve = serve
        wake = try WakePipe()
        let acceptor = try WorkerThread { self.accept() }
        state.withLock { $0.acceptor = acceptor }
    }

    /// Ends and joins every thread.
    package func stop() {
        let acceptor = state.withLock { state in
            state.isStopped = true
            // The descriptors are closed by their threads: closed here, their numbers could be others' by now.
            for connection in state.open.values { shutdown(connection.descriptor, Int32(SHUT_RDWR)) }
            defer { state.acceptor = nil }
            return state.acceptor
        }
        wake.wake()
        acceptor?.join()
        while let thread = state.withLock({ $0.finished.popLast() ?? $0.open.popFirst()?.value.thread }) {
            thread.join()
        }
        record.end()
    }

    // MARK: The acceptor's thread

    private func accept() {
        while waitForConnection() {
            let descriptor = systemAccept(socket.descriptor)
            guard descriptor >= 0 else {
                backOff(errno)
                continue
            }
            begin(descriptor)
            joinFinished()
        }
        socket.stopListening()
    }

    /// Waits until there is a connection and room for it; `false` once the server is stopped.
    private func waitForConnection() -> Bool {
        while true {
            wake.drain()
            let (isStopped, isFull) = state.withLock { ($0.isStopped, $0.open.count >= maximumConnections) }
            if isStopped { return false }
            var polled = [pollfd(fd: wake.readEnd, events: Int16(POLLIN), revents: 0)]
            if !isFull { polled.append(pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)) }
            poll(&polled, nfds_t(polled.count), -1)
            if polled.count == 2, polled[1].revents != 0 { return true }
            joinFinished()
        }
    }

    /// Waits a moment where the system has no descriptor or memory left: the connection stays in the queue.
    private func backOff(_ code: Int32) {
        guard ![EINTR, EAGAIN, ECONNABORTED].contains(code) else { return }
        record.addProblem("accept failed: \(String(cString: strerror(code)))")
        var polled = pollfd(fd: wake.readEnd, events: Int16(POLLIN), revents: 0)
        poll(&polled, 1, 20)
    }

    private func begin(_ descriptor: Int32) {
        let number = record.addConnection()
        let isStopped = state.withLock { state in
            if !state.isStopped { state.open[number] = (descriptor, nil) }
            return state.isStopped
        }
        guard !isStopped else {
            close(descriptor)
            return record.ends.change(by: 1)
        }
        do throws(ScriptedServerError) {
            let thread = try WorkerThread {
                let socket = ClientSocket(descriptor: descriptor)
                socket.sendPiecesAtOnce()
                self.serve(socket, number)
                self.finish(number)
                close(descriptor)
                self.record.ends.change(by: 1)
            }
            // It may have ended already; then it waits here to be joined.
            state.withLock { state in
                if state.open[number] == nil {
                    state.finished.append(thread)
                } else {
                    state.open[number]?.thread = thread
                }
            }
        } catch {
            record.addProblem("connection \(number): \(error)")
            state.withLock { $0.open[number] = nil }
            close(descriptor)
            record.ends.change(by: 1)
        }
    }

    private func joinFinished() {
        while let thread = state.withLock({ $0.finished.popLast() }) { thread.join() }
    }

    // MARK: A connection's thread

    /// Takes a connection off the table, before its descriptor is closed.
    private func finish(_ number: Int) {
        state.withLock { state in
            if let thread = state.open.removeValue(forKey: number)?.thread { state.finished.append(thread) }
        }
        wake.wake()
    }
}

// Within the class, `accept` is the method.
private func systemAccept(_ listener: Int32) -> Int32 {
    let descriptor = accept(listener, nil, nil)
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    return descriptor
}
