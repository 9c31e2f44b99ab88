#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The sockets of the HTTP/1.1 connections that a loop keeps between exchanges.
///
/// What a server sends on such a connection before it is asked again (the body of an answer that has none, a "408 Request
/// Timeout" before it hangs up) would be taken for the next answer: libcurl 7.88.1 doesn't look.
final class KeptSockets {
    /// The ports at both ends: all that libcurl tells of a connection before it sends.
    struct Ports: Equatable {
        let local: Int32
        let remote: Int32
    }

    private var sockets: [(descriptor: Int32, ports: Ports, isExclusive: Bool)] = []

    /// Notes the connection of an exchange that ended well, and forgets what had its number or its ports before.
    ///
    /// - Parameters:
    ///   - descriptor: Its socket; -1 if it was closed.
    ///   - ports: Its ports; a Unix socket has none, and is not known here.
    ///   - isExclusive: Whether it serves one exchange at a time: on others bytes may come at any time.
    func note(_ descriptor: Int32, _ ports: Ports, isExclusive: Bool) {
        sockets.removeAll { $0.descriptor == descriptor || $0.ports == ports }
        if descriptor >= 0, ports.local > 0 { sockets.append((descriptor, ports, isExclusive)) }
    }

    /// Whether something has come on a kept connection, its end included; it is then shut, so that nobody gets it again.
    func isSpoiled(_ ports: Ports) -> Bool {
        guard let kept = sockets.first(where: { $0.ports == ports && $0.isExclusive })?.descriptor else { return false }
        var byte: UInt8 = 0
        let flags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
        // The number may be another socket's by now.
        guard recv(kept, &byte, 1, flags) >= 0, localPort(of: kept) == ports.local else { return false }
        shutdown(kept, Int32(SHUT_RDWR))
        return true
    }

    /// Shuts a kept connection, so that nobody gets it again; those that others still use end with it.
    func shut(_ ports: Ports) {
        guard let kept = sockets.first(where: { $0.ports == ports })?.descriptor else { return }
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
