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
        // A C string would end there.
        guard !name.utf8.contains(0) else { return nil }
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
        var text: UnsafeMutablePointer<CChar>?
        // libcurl 7.88 leaves the name itself there when it has no such form.
        defer { curl_free(text) }
        guard curl_url_set(url, CURLUPART_HOST, name, 0) == CURLUE_OK,
            curl_url_get(url, CURLUPART_HOST, &text, UInt32(CURLU_PUNYCODE)) == CURLUE_OK, let text
        else { return nil }
        let ascii = String(cString: text)
        // What looks like a letter may be mapped to a `/`, or to nothing.
        return isName(ascii) ? ascii.lowercased() : nil
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
