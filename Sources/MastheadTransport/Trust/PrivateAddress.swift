#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Tells this machine and its private networks from the rest of the world.
package enum PrivateAddress {
    /// Whether an address is a loopback, private (RFC 1918), unique local (RFC 4193) or link-local one.
    package static func contains(_ text: String) -> Bool {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 { return isPrivate(withUnsafeBytes(of: four) { Array($0) }) }
        var six = in6_addr()
        let bare = String(text.prefix { $0 != "%" })
        guard inet_pton(AF_INET6, bare, &six) == 1 else { return false }
        let bytes = withUnsafeBytes(of: six) { Array($0) }
        // An address of IPv4 in that of IPv6 (RFC 4291, section 2.5.5.2).
        let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        if isMapped { return isPrivate(Array(bytes[12...])) }
        let isLoopback = bytes[..<15].allSatisfy { $0 == 0 } && bytes[15] == 1
        return isLoopback || bytes[0] & 0xFE == 0xFC || bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80
    }

    private static func isPrivate(_ bytes: [UInt8]) -> Bool {
        switch (bytes[0], bytes[1]) {
        case (127, _), (10, _), (172, 16...31), (192, 168), (169, 254): true
        default: false
        }
    }
}
