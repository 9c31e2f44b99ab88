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
final class KeptSockets {
    /// The ports at both ends: all that libcurl tells of a connection before it sends.
    struct Ports: Equatable {
        let local: Int32
        let remote: Int32
    }

    private struct Socket {
        let descriptor: Int32
        let ports: Ports
        /// Whether it serves one exchange at a time: on others bytes may come at any time.
        let isExclusive: Bool
        /// Whether to wait for bytes on it: not once some have come that nobody reads.
        var isWatched = true
    }

    /// The most recently used ones last.
    private var sockets: [Socket] = []

    /// How many are watched: an app that asks one thing after the other uses few.
    private static let maximumWatched = 16

    /// Notes the connection of an exchange that ended well, and forgets what had its number or its ports before.
    ///
    /// - Parameters:
    ///   - descriptor: Its socket; -1 if it was closed.
    ///   - ports: Its ports; a Unix socket has none, and is not known here.
    ///   - isExclusive: Whether it serves one exchange at a time.
    func note(_ descriptor: Int32, _ ports: Ports, isExclusive: Bool) {
        // Mostly it is the one that was used before, known already.
        if let last = sockets.last, last.descriptor == descriptor, last.ports == ports, last.isWatched { return }
        sockets.removeAll { $0.descriptor == descriptor || $0.ports == ports }
        guard descriptor >= 0, ports.local > 0 else { return }
        sockets.append(Socket(descriptor: descriptor, ports: ports, isExclusive: isExclusive))
    }

    /// The sockets to wait for bytes on.
    var watched: [Int32] { sockets.suffix(Self.maximumWatched).filter(\.isWatched).map(\.descriptor) }

    /// Waits no more for bytes on these until they are used again.
    func unwatch(_ descriptors: [Int32]) {
        for index in sockets.indices where descriptors.contains(sockets[index].descriptor) {
            sockets[index].isWatched = false
        }
    }

    /// Whether something has come on a kept connection that serves one exchange at a time, its end included; it is then
    /// shut, so that nobody gets it again.
    func isSpoiled(_ ports: Ports) -> Bool {
        guard let kept = sockets.last(where: { $0.ports == ports }), kept.isExclusive else { return false }
        var byte: UInt8 = 0
        let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
        // The number may be another socket's by now.
        guard recv(kept.descriptor, &byte, 1, flags) >= 0, localPort(of: kept.descriptor) == ports.local else {
            return false
        }
        shutdown(kept.descriptor, Int32(SHUT_RDWR))
        return true
    }

    /// Shuts a kept connection, so that nobody gets it again; those that others still use end with it.
    func shut(_ ports: Ports) {
        guard let kept = sockets.last(where: { $0.ports == ports })?.descriptor else { return }
        // The number may be another socket's by now.
        if localPort(of: kept) == ports.local { shutdown(kept, Int32(SHUT_RDWR)) }
    }

    private func localPort(of descriptor: Int32) -> Int32? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &address) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0 else { return nil }
        // IPv4 and IPv6 have it in the same place, in the network's order.
        return withUnsafeBytes(of: address) { Int32($0[2]) << 8 | Int32($0[3]) }
    }
}
