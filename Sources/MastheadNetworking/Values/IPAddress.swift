#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An IPv4 or IPv6 address.
struct IPAddress: Hashable {
    /// 4 or 16.
    let bytes: [UInt8]

    /// Reads four numbers, or an IPv6 address without brackets and without a zone; `nil` if it is neither.
    init?(_ text: some StringProtocol) {
        guard let bytes = Self.read(String(text), AF_INET, 4) ?? Self.read(String(text), AF_INET6, 16) else {
            return nil
        }
        self.bytes = bytes
    }

    var isIPv4: Bool { bytes.count == 4 }

    private static func read(_ text: String, _ family: Int32, _ count: Int) -> [UInt8]? {
        // A C string would end there.
        guard !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}
