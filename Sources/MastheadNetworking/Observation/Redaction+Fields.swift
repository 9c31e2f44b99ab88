import FoundationEssentials

extension Redaction {
    /// Whether a field of an answer holds what no file may hold in the clear: one that is a secret by its name or by its
    /// value, and one with a URL that has a secret in it.
    ///
    /// What a cache goes by (RFC 9111) never does, whatever words are in its name.
    func isSecret(_ field: HTTPHeaders.Field) -> Bool {
        let name = field.name.lowercased()
        if Self.harmless.contains(name) { return false }
        if Self.challenges.contains(name) { return true }
        if name == "link" { return field.value.split(whereSeparator: { "<>".contains($0) }).contains(where: isTarget) }
        return value(of: field).contains(Self.mark)
    }

    /// Whether a text is a URL with a secret in it.
    private func isTarget(_ text: Substring) -> Bool {
        URL(string: String(text)).map { url($0).contains(Self.mark) } ?? isSecret(value: text)
    }

    /// Nonces and what is proved by them (RFC 7615, RFC 9110, section 11.6).
    private static let challenges: Set<String> = ["authentication-info", "www-authenticate"]

    private static let harmless: Set<String> = [
        "age", "cache-control", "content-encoding", "content-language", "content-length", "content-type", "date",
        "etag",
        "expires", "last-modified", "pragma", "vary", "warning",
    ]
}
