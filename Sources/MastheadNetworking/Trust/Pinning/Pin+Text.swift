import FoundationEssentials
import MastheadTransport

extension Pin {
    /// Reads the digest of a public key.
    ///
    /// `sha256/` (or libcurl's `sha256//`) and base64, base64 alone, or 64 hexadecimal digits.
    ///
    /// - Throws: A ``Problem`` with what is wrong, to go behind the pin's name.
    init(text: String) throws(Problem) {
        var rest = text[...]
        if rest.hasPrefix("sha256/") {
            rest = rest.dropFirst(7)
            // The digest itself may begin with one.
            if rest.hasPrefix("/"), rest.utf8.count != 44 { rest = rest.dropFirst() }
        } else if let slash = rest.firstIndex(of: "/"), rest[..<slash].lowercased().hasPrefix("sha") {
            // Base64 may start with the same letters, but then it has another length.
            guard rest.utf8.count == 44 else {
                throw Problem(text: "is no SHA-256 digest: it starts with another name")
            }
        }
        guard !rest.isEmpty else { throw Problem(text: "is empty") }
        if rest.utf8.count == 64, let bytes = Self.hexadecimal(rest) {
            self = .publicKey(bytes)
            return
        }
        // A second spelling of the same bytes, as with stray bits at the end, is more likely a slip than meant.
        guard let data = Data(base64Encoded: String(rest)), data.base64EncodedString() == rest else {
            throw Problem(text: "is neither base64 nor 64 hexadecimal digits")
        }
        guard data.count == Pin.size else {
            throw Problem(text: "is no SHA-256 digest: it has \(data.count) bytes, not \(Pin.size)")
        }
        self = .publicKey(Array(data))
    }

    /// What is wrong with a pin.
    struct Problem: Error {
        let text: String
    }

    private static func hexadecimal(_ text: Substring) -> [UInt8]? {
        let digits = text.utf8.compactMap(\.hexadecimalValue)
        guard digits.count == text.utf8.count else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
