extension Parameters {
    /// How names and values are written.
    enum Form {
        /// A URL's query: everything but unreserved characters as `%XX` (RFC 3986).
        case query

        /// The URL Standard's `application/x-www-form-urlencoded`: the same but for the space, which is a `+`.
        case form
    }

    /// Appends `name=value` pairs, separated by `&`, each encoded once.
    ///
    /// - Throws: ``RepositoryError/invalidRequest(reason:)`` for a number that is none, or nesting without end.
    func append(to bytes: inout [UInt8], as form: Form) throws(RepositoryError) {
        var writer = PairWriter(bytes: bytes, form: form)
        bytes = []
        for element in elements { try writer.append(element.value, name: element.name, depth: 0) }
        bytes = writer.bytes
    }
}

private struct PairWriter {
    var bytes: [UInt8]
    let form: Parameters.Form
    private var isFirst = true

    init(bytes: [UInt8], form: Parameters.Form) {
        self.bytes = bytes
        self.form = form
    }

    mutating func append(_ value: JSONValue, name: String, depth: Int) throws(RepositoryError) {
        guard depth < JSONValue.maximumDepth else {
            throw .invalidRequest(reason: "a parameter is nested deeper than \(JSONValue.maximumDepth) levels")
        }
        switch value {
        case .null: break
        case .bool(let value): appendPair(name, value ? "true" : "false")
        case .int(let value): appendPair(name, String(value))
        case .double(let value):
            guard value.isFinite else { throw .invalidRequest(reason: "a parameter is not a finite number") }
            appendPair(name, "\(value)")
        case .number(let digits): appendPair(name, digits)
        case .string(let value): appendPair(name, value)
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                // `[]` before a member would leave open which element it belongs to.
                try append(element, name: element.isContainer ? "\(name)[\(index)]" : "\(name)[]", depth: depth + 1)
            }
        case .object(let members):
            for (key, member) in members.sorted(by: { $0.key < $1.key }) {
                try append(member, name: "\(name)[\(key)]", depth: depth + 1)
            }
        }
    }

    private mutating func appendPair(_ name: String, _ value: String) {
        if !isFirst { bytes.append(UInt8(ascii: "&")) }
        isFirst = false
        appendEncoded(name)
        bytes.append(UInt8(ascii: "="))
        appendEncoded(value)
    }

    private mutating func appendEncoded(_ text: String) {
        switch form {
        case .query: bytes.append(text, allowing: .unreserved)
        case .form:
            for byte in text.utf8 {
                if byte == UInt8(ascii: " ") {
                    bytes.append(UInt8(ascii: "+"))
                } else {
                    bytes.append(byte, allowing: .form)
                }
            }
        }
    }
}
