import CMastheadCurl

/// One multi handle with its connections, its TLS sessions and its certificate store; freed with this object.
///
/// Every method but ``wakeUp()`` is called from the loop's thread alone.
final class MultiHandle: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: other threads only call `wakeUp`, which libcurl allows while the handle
    // lives, and they hold a reference to this object while they do.
    private let pointer: UnsafeMutableRawPointer
    /// The TLS sessions of its transfers.
    let sessions: SessionShare

    /// Connections kept open for the next request, over all hosts.
    private static let maximumIdleConnections = 256

    /// For how long a wait for bytes looks again and again, before it sleeps: a processor that falls asleep takes longer to
    /// wake, mostly, than a server that is near takes to answer.
    private static let longestWakefulTime = Duration.microseconds(100)

    init() throws(TransportError) {
        guard let pointer = curl_multi_init() else { throw .setup("curl_multi_init") }
        self.pointer = pointer
        sessions = try SessionShare()
        // The default follows the number of transfers at the moment, and closes connections as load drains.
        let code = masthead_curl_multi_setopt_long(pointer, CURLMOPT_MAXCONNECTS, Self.maximumIdleConnections)
        guard code == CURLM_OK else { throw .setup("CURLMOPT_MAXCONNECTS") }
        // The gate decides how many there are; by default libcurl opens another connection for the 101st.
        let streams = masthead_curl_multi_setopt_long(pointer, CURLMOPT_MAX_CONCURRENT_STREAMS, Int(Int32.max))
        guard streams == CURLM_OK else { throw .setup("CURLMOPT_MAX_CONCURRENT_STREAMS") }
    }

    deinit {
        curl_multi_cleanup(pointer)
    }

    func add(_ handle: EasyHandle) throws(TransportError) {
        let code = curl_multi_add_handle(pointer, handle.pointer)
        guard code == CURLM_OK else {
            throw .setup("curl_multi_add_handle: " + String(cString: curl_multi_strerror(code)))
        }
    }

    func remove(_ handle: EasyHandle) {
        // Fails only for a handle that isn't there.
        curl_multi_remove_handle(pointer, handle.pointer)
    }

    /// Moves every transfer as far as it goes without waiting.
    func perform() {
        var running: Int32 = 0
        curl_multi_perform(pointer, &running)
    }

    /// The next finished transfer: its handle and how it ended.
    func nextFinished() -> (handle: UnsafeMutableRawPointer, code: CURLcode)? {
        var left: Int32 = 0
        while let message = curl_multi_info_read(pointer, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            return (handle, masthead_curl_message_result(message))
        }
        return nil
    }

    /// The socket whose bytes, and nothing else, the transfers wait for; `nil` if they wait for more, or for nothing.
    var onlySocket: Int32? {
        let socket = masthead_curl_multi_only_socket(pointer)
        return socket >= 0 ? socket : nil
    }

    /// Blocks until something has come on ``onlySocket``, or the time has passed.
    ///
    /// - Returns: Whether it has.
    func awaitBytes(on socket: Int32, for time: Duration) -> Bool {
        let start = ContinuousClock.now
        let wakefulTime = min(time, Self.longestWakefulTime)
        repeat {
            if masthead_curl_await_bytes(socket, 0) != 0 { return true }
        } while .now - start < wakefulTime
        let (seconds, attoseconds) = (time - (.now - start)).components
        let microseconds = Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
        return microseconds > 0 && masthead_curl_await_bytes(socket, microseconds) != 0
    }

    /// The time until libcurl's next own deadline; `nil` if there is none.
    var timeToNextTimer: Duration? {
        var milliseconds = -1
        guard curl_multi_timeout(pointer, &milliseconds) == CURLM_OK, milliseconds >= 0 else { return nil }
        return .milliseconds(milliseconds)
    }

    /// Waits for sockets, for ``wakeUp()`` or for the time to pass.
    func wait(milliseconds: Int) {
        curl_multi_poll(pointer, nil, 0, Int32(milliseconds), nil)
    }

    /// Ends a wait, or the next one; from any thread.
    func wakeUp() {
        curl_multi_wakeup(pointer)
    }
}
