extension SearchQuery {
    /// How deep a query may go, how many words it may have, and how long one may be; what is beyond is passed over.
    ///
    /// The index's own parser has room for 100 symbols, of which a step down takes four.
    private static var maximumDepth: Int { 16 }
    private static var maximumTerms: Int { 200 }
    private static var maximumLength: Int { 500 }

    /// The query in the language of the index, in which every word stands between quotes; `nil` if there is nothing to find.
    var expression: String? {
        var terms = 0
        return expression(depth: 0, &terms)
    }

    private func expression(depth: Int, _ terms: inout Int) -> String? {
        guard depth < Self.maximumDepth else { return nil }
        switch self {
        case .word(let text), .phrase(let text): return Self.quoted(text, &terms)
        case .prefix(let text): return Self.quoted(text, &terms).map { $0 + " *" }
        case .field(let field, let query):
            return query.expression(depth: depth + 1, &terms).map { "\(field.rawValue) : (\($0))" }
        case .all(let queries): return Self.joined(queries, by: " AND ", depth, &terms)
        case .any(let queries): return Self.joined(queries, by: " OR ", depth, &terms)
        case .excluding(let query, let other):
            guard let wanted = query.expression(depth: depth + 1, &terms) else { return nil }
            guard let unwanted = other.expression(depth: depth + 1, &terms) else { return wanted }
            return "((\(wanted)) NOT (\(unwanted)))"
        }
    }

    private static func joined(
        _ queries: [SearchQuery],
        by word: String,
        _ depth: Int,
        _ terms: inout Int
    ) -> String? {
        var parts: [String] = []
        var known: Set<String> = []
        for query in queries {
            // What is asked twice would be looked for twice.
            if let part = query.expression(depth: depth + 1, &terms), known.insert(part).inserted {
                parts.append("(\(part))")
            }
        }
        return parts.isEmpty ? nil : parts.count == 1 ? parts[0] : "(" + parts.joined(separator: word) + ")"
    }

    /// A text as a string of the index's language; `nil` if the index can have no word of it.
    private static func quoted(_ text: String, _ terms: inout Int) -> String? {
        let text = text.unicodeScalars.prefix(maximumLength)
        guard terms < maximumTerms, text.contains(where: isOfWord) else { return nil }
        terms += 1
        var scalars = String.UnicodeScalarView()
        for scalar in text where scalar.value >= 0x20 && !SearchMark.isMark(scalar) {
            if scalar == "\"" { scalars.append(scalar) }
            scalars.append(scalar)
        }
        return "\"\(String(scalars))\""
    }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x80 { return scalar.properties.isAlphabetic || (0x30...0x39).contains(scalar.value) }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            return true
        default: return false
        }
    }
}
