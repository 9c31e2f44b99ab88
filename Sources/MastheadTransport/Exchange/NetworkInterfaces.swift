#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What the machine's network interfaces say.
enum NetworkInterfaces {
    /// Whether an interface other than the loopback is up and has an address of the Internet's.
    ///
    /// A name that does not resolve on a machine without one is no fault of the name's.
    static var hasRoute: Bool {
        var first: UnsafeMutablePointer<ifaddrs>?
        // When the question can't be asked, nothing may be concluded.
        guard getifaddrs(&first) == 0 else { return true }
        defer { freeifaddrs(first) }
        var next = first
        while let interface = next?.pointee {
            next = interface.ifa_next
            let flags = Int32(bitPattern: UInt32(interface.ifa_flags))
            guard let address = interface.ifa_addr, flags & Int32(IFF_UP) != 0,
                flags & Int32(IFF_LOOPBACK) == 0
            else { continue }
            let family = Int32(address.pointee.sa_family)
            if family == AF_INET || family == AF_INET6 { return true }
        }
        return false
    }
}
