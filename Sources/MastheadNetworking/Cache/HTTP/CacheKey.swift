/// What answers are stored under: GET, and a URL (RFC 9111, section 2).
///
/// Only what is surely the same for every server becomes one (RFC 3986, sections 6.2.2 and 6.2.3): the case of scheme and
/// host, the scheme's own port, an empty path, the digits of an escape, and an escape of what needs none. The fragment is
/// not sent, so it is no part of it. Dot segments, an empty query, the order of parameters and a slash at the end stay:
/// taking two resources for one would show the wrong one, taking one for two only asks once more.
package struct CacheKey: Sendable, Hashable {
    /// The URL in its normal form.
    ///
    /// It may hold what the query holds: who writes it down in the clear writes that down too.
    package let url: String

    /// Whether the connection is encrypted.
    var isSecure: Bool { url.utf8.starts(with: "https:".utf8) }

    /// Makes the key of an absolute URL; `nil` if it is none of `http` or `https`, or names a user.
    package init?(_ url: String) {
        self.init(URLReference(url))
    }

    init?(_ reference: URLReference) {
        guard let origin = try? Origin(reference) else { return nil }
        let isUsual = origin.port == (origin.isSecure ? 443 : 80)
        let path = reference.path.isEmpty ? "/" : Self.normalised(reference.path)
        let query = reference.query.map { "?" + Self.normalised($0) } ?? ""
        url = "\(origin.scheme)://\(origin.host)\(isUsual ? "" : ":\(origin.port)")\(path)\(query)"
    }

    /// Writes each escape with capitals, none for what is unreserved, and one for what is not ASCII.
    private static func normalised(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 >= 0x80 }) else { return text }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first?.hexadecimalValue,
                let low = rest.dropFirst().first?.hexadecimalValue
            {
                bytes.append(high << 4 | low, allowing: plain)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte, allowing: ascii)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What is unreserved (RFC 3986, section 2.3), but no dot: of `%2E%2E` would become a segment that some servers take
    /// out, and some do not.
    private static let plain = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~")

    private static let ascii = ASCIISet(String(decoding: UInt8(0)..<0x80, as: UTF8.self))
}
