#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// One end of a connection: an address as libcurl writes it, and a port; a Unix socket has neither.
package struct SocketAddress: Sendable, Hashable, CustomStringConvertible {
    package let port: Int32
    package let text: String

    package init(_ text: String, port: Int32) {
        self.port = port
        self.text = text
    }

    /// Address and port as a URL writes them; the address alone if there is no port.
    package var description: String {
        port == 0 ? text : text.contains(":") ? "[\(text)]:\(port)" : "\(text):\(port)"
    }

    /// Reads one of IPv4 or IPv6 (its zone is left out); `nil` for others.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= MemoryLayout<sockaddr>.size else { return nil }
        let family = bytes.loadUnaligned(as: sockaddr.self).sa_family
        // IPv4 and IPv6 have the port in the same place, in the network's order.
        port = Int32(bytes[2]) << 8 | Int32(bytes[3])
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let offset: Int? =
            switch Int32(family) {
            case AF_INET: MemoryLayout<sockaddr_in>.offset(of: \.sin_addr)
            case AF_INET6: MemoryLayout<sockaddr_in6>.offset(of: \.sin6_addr)
            default: nil
            }
        let size = Int32(family) == AF_INET ? MemoryLayout<in_addr>.size : MemoryLayout<in6_addr>.size
        guard let offset, bytes.count >= offset + size, let start = bytes.baseAddress,
            inet_ntop(Int32(family), start + offset, &text, socklen_t(text.count)) != nil
        else { return nil }
        self.text = text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }
}
