import MastheadCrypto

/// Which requests an answer is for, by the fields that its `Vary` names (RFC 9111, section 4.1).
///
/// It holds a digest of the request's values, not the values: an `Authorization` or a `Cookie` may be among them.
///
/// Two values are the same if they differ in blanks at their ends, or in being one line or several. For the `Accept` fields,
/// whose grammar is known, blanks around `,` and `;` do not count either, for `Accept-Encoding`, `Accept-Language` and
/// `Accept-Charset` the case does not, and for `Accept-Encoding` and `Accept-Charset` the order does not. A field that is not
/// there is the same only as one that is not there.
package struct VariantKey: Sendable, Hashable {
    /// A `Vary` that names more is taken for `*`.
    static let maximumNames = 32

    /// The fields' names in lower case, in order; empty if the answer is for every request.
    package let names: [String]

    /// The digest of the request's values of them; empty if there are no names.
    package let digest: [UInt8]

    /// Takes what a request has for an answer's `Vary`; `nil` if that is `*`, so that no other request is like it.
    package init?(answer: HTTPHeaders, request: HTTPHeaders) {
        var names: Set<String> = []
        for value in answer.values(of: "Vary") {
            for member in value.utf8.split(separator: UInt8(ascii: ",")) {
                let name = String(Substring(member)).trimmingBlanks.lowercased()
                if name == "*" { return nil }
                if !name.isEmpty { names.insert(name) }
                guard names.count <= Self.maximumNames else { return nil }
            }
        }
        self.init(names: names.sorted(), request: request)
    }

    /// Takes a key as it was stored; `nil` if it could not have been one.
    init?(stored names: [String], digest: [UInt8]) {
        guard names.count <= Self.maximumNames, names.isEmpty ? digest.isEmpty : digest.count == 32 else { return nil }
        self.names = names
        self.digest = digest
    }

    private init?(names: [String], request: HTTPHeaders) {
        guard let digest = Self.digest(of: names, in: request) else { return nil }
        self.names = names
        self.digest = digest
    }

    /// Whether a request has the same values.
    package func matches(_ request: HTTPHeaders) -> Bool {
        names.isEmpty || Self.digest(of: names, in: request) == digest
    }

    /// The digest of what a request has in the fields; `nil` if there is no SHA-256 here.
    private static func digest(of names: [String], in request: HTTPHeaders) -> [UInt8]? {
        guard !names.isEmpty else { return [] }
        var text = ""
        for name in names {
            let value = normalised(request.values(of: name), of: name)
            // With its length, so that no value can pass for the end of one and the begin of the next.
            text += "\(name):\(value.map { "\($0.utf8.count):\($0)" } ?? "")\n"
        }
        return try? Digest.sha256(text.utf8).bytes
    }

    /// The field's value in the one form of all that mean the same; `nil` if it is not there.
    static func normalised(_ lines: [String], of name: String) -> String? {
        guard !lines.isEmpty else { return nil }
        let value = lines.map { String($0.trimmingBlanks) }.joined(separator: ", ")
        switch name {
        case "accept": return list(in: value).joined(separator: ",")
        case "accept-language": return list(in: value).joined(separator: ",").lowercased()
        case "accept-encoding", "accept-charset": return list(in: value.lowercased()).sorted().joined(separator: ",")
        default: return value
        }
    }

    /// The members of a list without the blanks around `,` and `;` that are not in a string.
    private static func list(in value: String) -> [String] {
        var members: [[UInt8]] = [[]]
        var isQuoted = false
        var bytes = value.utf8[...]
        while let byte = bytes.popFirst() {
            let last = members.count - 1
            switch byte {
            case UInt8(ascii: "\\") where isQuoted:
                members[last].append(byte)
                if let escaped = bytes.popFirst() { members[last].append(escaped) }
            case UInt8(ascii: "\""):
                isQuoted.toggle()
                members[last].append(byte)
            case UInt8(ascii: ",") where !isQuoted:
                members[last].trimBlanksAtEnd()
                members.append([])
            case UInt8(ascii: ";") where !isQuoted:
                members[last].trimBlanksAtEnd()
                members[last].append(byte)
            case UInt8(ascii: " ") where !isQuoted, UInt8(ascii: "\t") where !isQuoted:
                let isStart = members[last].isEmpty || members[last].last == UInt8(ascii: ";")
                if !isStart { members[last].append(byte) }
            default:
                members[last].append(byte)
            }
        }
        if !isQuoted, let last = members.indices.last { members[last].trimBlanksAtEnd() }
        return members.filter { !$0.isEmpty }.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension [UInt8] {
    fileprivate mutating func trimBlanksAtEnd() {
        while last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { removeLast() }
    }
}
