package import FoundationEssentials

/// What a log may show of a request, an answer and a URL: names, kinds and sizes, and no secret.
package final class Redaction: Sendable {
    /// What stands where a secret stood.
    package static let mark = "[redacted]"

    /// The fields that are a secret whatever a configuration says.
    static let secretHeaders: Set<String> = ["authorization", "cookie", "set-cookie", "proxy-authorization"]

    private let secretHeaders: Set<String>
    private let secretWords: Set<String>
    private let secrets: [String]

    /// What no configuration is needed for: the secrets that are everywhere.
    static let standard = Redaction(
        secretHeaders: [],
        secretParameters: RequestLogger.defaultSecretParameters,
        secrets: []
    )

    package convenience init(_ configuration: NetworkingConfiguration) {
        self.init(
            secretHeaders: configuration.secretHeaders.union([configuration.authorization.field]),
            secretParameters: configuration.logger?.secretParameters ?? RequestLogger.defaultSecretParameters,
            secrets: [configuration.clientKey, configuration.route.proxy?.password].compactMap { $0?.value }
        )
    }

    private init(secretHeaders: Set<String>, secretParameters: Set<String>, secrets: [String]) {
        self.secretHeaders = Self.secretHeaders.union(secretHeaders.map { $0.lowercased() })
        secretWords = Set(secretParameters.map(Self.joined))
        self.secrets = secrets.filter { !$0.isEmpty }
    }

    /// A URL without user, fragment, secret parameters, and path segments that hold an e-mail address or the key.
    package func url(_ url: URL) -> String {
        var reference = URLReference(url.absoluteString)
        if let authority = reference.authority, let at = authority.lastIndex(of: "@") {
            reference.authority = Self.mark + String(authority[at...])
        }
        reference.fragment = nil
        reference.path = path(reference.path)
        reference.query = reference.query.map(parameters)
        return reference.text
    }

    /// A path without the segments that hold an e-mail address or the key.
    func path(_ path: String) -> String {
        path.split(separator: "/", omittingEmptySubsequences: false)
            .map { isSecret(value: $0) ? Self.mark : String($0) }
            .joined(separator: "/")
    }

    /// A header's value, or the mark.
    package func value(of field: HTTPHeaders.Field) -> String {
        if secretHeaders.contains(field.name.lowercased()) || isSecret(name: field.name) { return Self.mark }
        // A target is a URL of its own.
        if ["location", "content-location", "referer"].contains(field.name.lowercased()) {
            return URL(string: field.value).map(url) ?? Self.mark
        }
        return isSecret(value: field.value[...]) ? Self.mark : field.value
    }

    /// A body's kinds and lengths; never what it says.
    func body(_ body: Data, headers: HTTPHeaders) -> String {
        // In gzip nothing of it can be told apart.
        guard !body.starts(with: [0x1F, 0x8B]) else { return "[\(body.count) bytes]" }
        let type = headers["Content-Type"]?.lowercased() ?? ""
        if type.hasPrefix("application/x-www-form-urlencoded") {
            return String(decoding: body, as: UTF8.self).split(separator: "&")
                .map { pair in
                    // What has no name is a value, and a name may be one too.
                    guard let equals = pair.firstIndex(of: "=") else { return "…" }
                    let name = pair[..<equals]
                    return isSecret(value: name) ? "\(Self.mark)=…" : "\(name)=…"
                }
                .joined(separator: "&")
        }
        let size = "[\(body.count) bytes]"
        guard type.contains("json") else { return size }
        let snippet = JSONText(body).snippet(limit: 1000)
        return snippet.isEmpty ? size : snippet
    }

    /// Named values as a query has them: the names stay, and the values of those that are no secret.
    private func parameters(_ text: String) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false)
            .map { pair in
                guard let equals = pair.firstIndex(of: "=") else {
                    return isSecret(value: pair) ? Self.mark : String(pair)
                }
                let name = pair[..<equals]
                let value = pair[pair.index(after: equals)...]
                return isSecret(name: Self.plain(name)) || isSecret(value: value)
                    ? "\(name)=\(Self.mark)" : String(pair)
            }
            .joined(separator: "&")
    }

    /// Whether a name stands for a secret: one of its words does (`accessToken`, `X-Auth-Token`, `user[email]`), or all
    /// of them together.
    package func isSecret(name: String) -> Bool {
        secretWords.contains(Self.joined(name)) || Self.words(of: name).contains(where: secretWords.contains)
    }

    /// Whether a value is a secret whatever its name: an e-mail address, or the configuration's own key.
    package func isSecret(value: Substring) -> Bool {
        let plain = Self.plain(value)
        return plain.contains("@") || secrets.contains { plain.contains($0) }
    }

    /// The text with its percent-encoding undone, as far as it is any.
    private static func plain(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let decoded = UInt8(Substring(digits), radix: 16) {
                bytes.append(decoded)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func joined(_ name: String) -> String {
        words(of: name).joined()
    }

    /// The words of a name in lower case, told apart by marks and by capitals.
    private static func words(of name: String) -> [String] {
        var words: [String] = [""]
        var wasLowercase = false
        for character in name {
            let kind = Kind(character)
            guard kind.isPartOfWord else {
                words.append("")
                wasLowercase = false
                continue
            }
            if kind.isUppercase, wasLowercase { words.append("") }
            wasLowercase = kind.isLowercaseOrNumber
            words[words.count - 1] += character.lowercased()
        }
        return words.filter { !$0.isEmpty }
    }
}

extension Redaction {
    /// What a character is in a name; of ASCII, as nearly all are, without Unicode's tables.
    private struct Kind {
        let isUppercase: Bool
        let isLowercaseOrNumber: Bool
        let isPartOfWord: Bool

        init(_ character: Character) {
            if let byte = character.asciiValue {
                isUppercase = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
                isLowercaseOrNumber = byte.isDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                isPartOfWord = isUppercase || isLowercaseOrNumber
            } else {
                isUppercase = character.isUppercase
                isLowercaseOrNumber = character.isLowercase || character.isNumber
                isPartOfWord = character.isLetter || character.isNumber
            }
        }
    }
}

extension Redaction: CustomReflectable {
    /// What a dump or a debugger shows: nothing, since it knows secrets.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
