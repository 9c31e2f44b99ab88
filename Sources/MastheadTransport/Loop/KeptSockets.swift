#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The sockets of the connections that a loop keeps between exchanges.
///
/// What a server sends on an HTTP/1.1 connection before it is asked again (the body of an answer that has none, a "408
/// Request Timeout" before it hangs up) would be taken for the next answer: libcurl 7.88.1 doesn't look. And a thread that
/// waits for bytes on them need not be woken to receive an answer.
package final class KeptSockets {
    /// Both ends: all that libcurl tells of a connection before it sends.
    ///
    /// Ports alone are not enough: a system gives one port to several connections, if they lead to different addresses.
    package struct Ends: Equatable {
        let local: SocketAddress
        let remote: SocketAddress

        package init(local: SocketAddress, remote: SocketAddress) {
            self.local = local
            self.remote = remote
        }
    }

    private struct Socket {
        let descriptor: Int32
        let ends: Ends
        /// Whether it serves one exchange at a time: on others bytes may come at any time.
        let isExclusive: Bool
        /// Whether to wait for bytes on it: not once some have come that nobody reads.
        var isWatched = true
    }

    /// The most recently used one last, and others of the last at the end.
    private var sockets: [Socket] = []

    /// How many are watched: an app that asks one thing after the other uses few.
    private static let maximumWatched = 16

    package init() {}

    /// Notes the connection of an exchange that ended well, and forgets what had its number or its ends before.
    ///
    /// - Parameters:
    ///   - descriptor: Its socket; -1 if it was closed.
    ///   - ends: Its ends; a Unix socket has no ports, and is not known here.
    ///   - isExclusive: Whether it serves one exchange at a time.
    package func note(_ descriptor: Int32, _ ends: Ends, isExclusive: Bool) {
        // Mostly it is known already.
        if let index = sockets.lastIndex(where: { $0.descriptor == descriptor }), sockets[index].ends == ends,
            sockets[index].isWatched
        {
            sockets.swapAt(index, sockets.count - 1)
            return
        }
        sockets.removeAll { $0.descriptor == descriptor || $0.ends == ends }
        guard descriptor >= 0, ends.local.port > 0 else { return }
        sockets.append(Socket(descriptor: descriptor, ends: ends, isExclusive: isExclusive))
    }

    /// The sockets to wait for bytes on.
    var watched: [Int32] { sockets.suffix(Self.maximumWatched).filter(\.isWatched).map(\.descriptor) }

    /// Waits no more for bytes on these until they are used again.
    func unwatch(_ descriptors: [Int32]) {
        for index in sockets.indices where descriptors.contains(sockets[index].descriptor) {
            sockets[index].isWatched = false
        }
    }

    /// Whether something has come on a kept connection that serves one exchange at a time, its end or a reset included; it
    /// is then shut, so that nobody gets it again.
    package func isSpoiled(_ ends: Ends) -> Bool {
        guard let kept = sockets.last(where: { $0.ends == ends }), kept.isExclusive else { return false }
        var byte: UInt8 = 0
        let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
        let hasCome = recv(kept.descriptor, &byte, 1, flags) >= 0 || errno == ECONNRESET
        // The number may be another socket's by now.
        guard hasCome, Self.mayHave(ends, kept.descriptor) else { return false }
        shutdown(kept.descriptor, Int32(SHUT_RDWR))
        return true
    }

    /// Whether a connection is known here.
    func knows(_ ends: Ends) -> Bool { sockets.contains { $0.ends == ends } }

    /// Shuts a kept connection, so that libcurl closes it when it looks at it next.
    func shut(_ ends: Ends) {
        guard let kept = sockets.last(where: { $0.ends == ends })?.descriptor, Self.ends(of: kept) == ends else {
            return
        }
        shutdown(kept, Int32(SHUT_RDWR))
    }

    /// Whether a socket has these ends; one that was reset knows only its own.
    private static func mayHave(_ ends: Ends, _ descriptor: Int32) -> Bool {
        guard address(of: descriptor, getsockname) == ends.local else { return false }
        return address(of: descriptor, getpeername).map { $0 == ends.remote } ?? (errno == ENOTCONN)
    }

    private static func ends(of descriptor: Int32) -> Ends? {
        guard let local = address(of: descriptor, getsockname), let remote = address(of: descriptor, getpeername)
        else { return nil }
        return Ends(local: local, remote: remote)
    }

    private static func address(
        of descriptor: Int32,
        _ get: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> SocketAddress? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &address) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { get(descriptor, $0, &length) }
        }
        guard result == 0 else { return nil }
        return withUnsafeBytes(of: address) { SocketAddress($0) }
    }
}
