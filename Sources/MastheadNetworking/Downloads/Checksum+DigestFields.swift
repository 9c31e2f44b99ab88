extension Checksum {
    /// The checksum that a server gives of the whole of what it serves (RFC 9530); `nil` if it gives none with SHA-256.
    ///
    /// `Repr-Digest` stands for the whole, of which a part may follow; `Content-Digest` for what follows, so only with
    /// status 200 for the whole. Both are of the coded bytes, so nothing is read of an answer that is compressed.
    package init?(status: Int, headers: HTTPHeaders) {
        guard headers.hasIdentityCoding else { return nil }
        let fields = status == 200 ? ["Repr-Digest", "Content-Digest"] : ["Repr-Digest"]
        for field in fields {
            guard let digest = Self.digest(in: headers.values(of: field).joined(separator: ",")) else { continue }
            self.init(digest: digest)
            return
        }
        return nil
    }

    /// The SHA-256 of a dictionary of byte sequences (RFC 8941, section 3.2); `nil` if there is none, or for a field
    /// that is no such dictionary.
    private static func digest(in field: String) -> [UInt8]? {
        var digest: [UInt8]?
        for member in field.split(separator: ",", omittingEmptySubsequences: false) {
            // No comma can stand in a byte sequence; where one stands in a string, the field is no digest.
            let member = String(member).trimmingBlanks
            guard let start = member.firstIndex(of: "=") else { return nil }
            let value = member[member.index(after: start)...]
            guard value.first == ":", let end = value.dropFirst().firstIndex(of: ":"), !value.contains("\""),
                value[end...].dropFirst().first ?? ";" == ";"
            else { return nil }
            // Of two of one name the last one counts.
            if member[..<start] == "sha-256" { digest = base64(value[..<end].dropFirst()) }
        }
        return digest
    }
}
