import CMastheadCurl

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The names of hosts beyond ASCII.
package enum HostName {
    /// The name as DNS has it: mapped and put into Punycode (UTS 46, non-transitional; RFC 5891), so that all spellings
    /// of one name become one.
    ///
    /// - Returns: Labels of letters, digits, `-` and `_`; `nil` if the name has no such form, or libcurl has no IDN.
    package static func ascii(of name: String) -> String? {
        guard let ascii = host(in: name, as: CURLUPART_HOST) else { return nil }
        // What looks like a letter may be mapped to a `/`, or to nothing.
        return isName(ascii) ? ascii.lowercased() : nil
    }

    /// The one form of all spellings by which libcurl connects to one host: as ``ascii(of:)``, without the dot of the root,
    /// an address in its shortest form and without brackets.
    ///
    /// - Returns: `nil` if it is neither a name nor an address.
    package static func normalised(_ host: String) -> String? {
        if host.contains(":") { return ipv6(host) }
        // It would end there, and be a part of it no more.
        guard !host.isEmpty, !host.contains(where: { "/?#@\\[]".contains($0) }) else { return nil }
        // Parsed as libcurl parses it in a request: "%65xample.com" is a name, "0x7f.1" an address.
        guard let ascii = self.host(in: "https://\(host)/", as: CURLUPART_URL), isName(ascii) else { return nil }
        return (ascii.hasSuffix(".") ? String(ascii.dropLast()) : ascii).lowercased()
    }

    /// Whether a normalised host is an address.
    package static func isAddress(_ host: String) -> Bool {
        var address = in_addr()
        return host.contains(":") || inet_pton(AF_INET, host, &address) == 1
    }

    private static func ipv6(_ host: String) -> String? {
        var text = host[...]
        if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
        // The zone says which way to go, not whom to meet (RFC 6874).
        if let zone = text.firstIndex(of: "%") { text = text[..<zone] }
        var address = in6_addr()
        guard inet_pton(AF_INET6, String(text), &address) == 1 else { return nil }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            inet_ntop(AF_INET6, &address, buffer.baseAddress, socklen_t(buffer.count)).map { String(cString: $0) }
        }
    }

    /// The host that libcurl finds in a text, in ASCII.
    private static func host(in text: String, as part: CURLUPart) -> String? {
        // A C string would end there.
        guard !text.utf8.contains(0) else { return nil }
        // libcurl reads the name in the thread's character set, and a process that sets none has ASCII.
        let utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
        guard let utf8 else { return nil }
        let previous = uselocale(utf8)
        defer {
            uselocale(previous)
            freelocale(utf8)
        }
        guard let url = curl_url() else { return nil }
        defer { curl_url_cleanup(url) }
        var host: UnsafeMutablePointer<CChar>?
        // libcurl 7.88 leaves the name itself there when it has no such form.
        defer { curl_free(host) }
        guard curl_url_set(url, part, text, 0) == CURLUE_OK,
            curl_url_get(url, CURLUPART_HOST, &host, UInt32(CURLU_PUNYCODE)) == CURLUE_OK, let host
        else { return nil }
        return String(cString: host)
    }

    /// Whether it is what DNS takes for a name: labels of 1 to 63 letters, digits, `-` and `_`.
    package static func isName(_ text: String) -> Bool {
        var labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // A name may end in the dot of the root.
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        return text.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.count)
                    && label.allSatisfy { byte in
                        switch byte {
                        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                            true
                        default: false
                        }
                    }
            }
    }
}
