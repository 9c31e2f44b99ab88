#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Reads and writes on the socket of one accepted connection; never closes it.
package struct ClientSocket: Sendable {
    package let descriptor: Int32

    /// Speaks over a socket, which stays its maker's to close.
    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    // POLLRDHUP: the peer has closed its side. glibc declares it for _GNU_SOURCE only.
    private static let peerClosed: Int16 = 0x2000

    /// Reads what has come, waiting for at least one byte; 0 at the end of the stream or after an error.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count >= 0 { return count }
            if errno != EINTR { return 0 }
        }
    }

    /// Writes everything; `false` if the peer is gone.
    package func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes
        while let start = rest.baseAddress, rest.count > 0 {
            let count = send(descriptor, start, rest.count, Int32(MSG_NOSIGNAL))
            if count < 0 {
                if errno == EINTR { continue }
                return false
            }
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        }
        return true
    }

    /// Waits until `pipe` is woken or the time is up; `false` if the connection was closed meanwhile, by either side.
    func wait(for pipe: WakePipe?, milliseconds: Int32) -> Bool {
        var polled = [pollfd(fd: descriptor, events: Self.peerClosed, revents: 0)]
        if let pipe { polled.append(pollfd(fd: pipe.readEnd, events: Int16(POLLIN), revents: 0)) }
        while true {
            let count = poll(&polled, nfds_t(polled.count), milliseconds)
            // An interrupted wait may start over: this thread takes no signals, so it hardly ever happens.
            if count < 0 && errno == EINTR { continue }
            return polled[0].revents == 0
        }
    }

    /// Sends small pieces at once, so that what a test scripts is what is on the wire.
    func sendPiecesAtOnce() {
        var enabled: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &enabled, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Keeps the buffer for what comes small, so that a client notices soon that nothing is read.
    func receiveLittle() {
        var size: Int32 = 32 << 10
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Makes closing the descriptor reset the connection.
    package func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Ends our side, then takes what is still there, so that closing does not turn into a reset.
    package func finish() {
        shutdown(descriptor, Int32(SHUT_WR))
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { bytes in
            var budget = 64
            while budget > 0, recv(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT)) > 0 { budget -= 1 }
        }
    }

    /// Ends our side, then takes what comes until the client has ended its own.
    package func finishWithClient() {
        shutdown(descriptor, Int32(SHUT_WR))
        withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { bytes in
            while read(into: bytes) > 0 {}
        }
    }

    /// The address of the other end without its port; empty for a Unix socket.
    var peerAddress: String {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes in
            let address = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
            guard getpeername(descriptor, address, &length) == 0 else { return "" }
            var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            guard [AF_INET, AF_INET6].contains(Int32(bytes.load(as: sockaddr.self).sa_family)),
                getnameinfo(address, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0
            else { return "" }
            return String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
