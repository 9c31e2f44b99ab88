import FoundationEssentials

/// What the bytes of a download must digest to: SHA-256 (FIPS 180-4).
///
/// ```swift
/// let checksum = Checksum.sha256(issue.archiveSHA256)
/// ```
///
/// The text may be 64 hexadecimal digits, in either case, or base64. Making a checksum of another text does not fail, so
/// that a mistake is never taken for none: ``validate()`` throws for it, and nothing matches it.
public struct Checksum: Sendable, Hashable, CustomStringConvertible {
    private static let size = 32

    /// The digest's bytes; `nil` if the text was none.
    let digest: [UInt8]?

    /// The digest as it is compared, or what is wrong with it.
    public var description: String {
        guard let digest else { return "no SHA-256" }
        let text = digest.flatMap { byte in [byte >> 4, byte & 15].map { String($0, radix: 16) } }
        return "SHA-256 \(text.joined())"
    }

    /// Makes a checksum of its text, hexadecimal or base64.
    public static func sha256(_ text: String) -> Checksum {
        Checksum(digest: hexadecimal(text) ?? base64(text[...]))
    }

    /// Checks that this is a digest at all.
    ///
    /// - Throws: ``RepositoryError/invalidRequest(reason:)``.
    public func validate() throws(RepositoryError) {
        if digest == nil { throw .invalidRequest(reason: "the checksum is no SHA-256") }
    }

    /// Whether it is the digest of what was downloaded.
    package func matches(_ digest: some Sequence<UInt8>) -> Bool {
        self.digest?.elementsEqual(digest) ?? false
    }

    init(digest: [UInt8]?) {
        self.digest = digest
    }

    private static func hexadecimal(_ text: String) -> [UInt8]? {
        let digits = text.utf8.prefix(2 * size + 1).compactMap(\.hexadecimalValue)
        guard digits.count == 2 * size, text.utf8.count == 2 * size else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// Reads base64, with its padding or without (RFC 8941, section 4.2.7).
    static func base64(_ text: Substring) -> [UInt8]? {
        let padding = text.utf8.count == 43 && text.utf8.last != UInt8(ascii: "=") ? "=" : ""
        guard text.utf8.count + padding.utf8.count == 44, let bytes = Data(base64Encoded: text + padding),
            bytes.count == size
        else { return nil }
        return Array(bytes)
    }
}
