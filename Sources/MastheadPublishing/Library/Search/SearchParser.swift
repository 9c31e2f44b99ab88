/// Reads a query as readers write it, whatever is wrong with it.
struct SearchParser {
    private enum Token: Hashable {
        case word(String)
        case quoted(String)
        case field(SearchField)
        case open, close, or, not
    }

    /// How deep brackets go; those beyond are passed over.
    private static var maximumDepth: Int { 20 }

    private var tokens: ArraySlice<Token>
    private let isTyping: Bool

    /// - Parameters:
    ///   - text: What was written; of more than 2,000 characters the first count.
    ///   - isTyping: Whether its last word may be unfinished.
    init(_ text: String, isTyping: Bool) {
        let text = text.prefix(2000)
        tokens = Self.tokens(of: text)[...]
        self.isTyping = isTyping && text.last.map { !$0.isWhitespace } ?? false
    }

    mutating func query() -> SearchQuery {
        var parts: [SearchQuery] = []
        while !tokens.isEmpty {
            parts.append(alternatives(depth: 0))
            // A closing bracket that closes nothing.
            if tokens.first == .close { tokens.removeFirst() }
        }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func alternatives(depth: Int) -> SearchQuery {
        var parts = [conjunction(depth: depth)]
        while tokens.first == .or {
            tokens.removeFirst()
            parts.append(conjunction(depth: depth))
        }
        parts.removeAll { $0 == .all([]) }
        return parts.count == 1 ? parts[0] : parts.isEmpty ? .all([]) : .any(parts)
    }

    private mutating func conjunction(depth: Int) -> SearchQuery {
        var (wanted, unwanted): ([SearchQuery], [SearchQuery]) = ([], [])
        while let token = tokens.first, token != .or, token != .close {
            if token == .not {
                tokens.removeFirst()
                if let query = primary(depth: depth) { unwanted.append(query) }
            } else if let query = primary(depth: depth) {
                wanted.append(query)
            }
        }
        let query = wanted.count == 1 ? wanted[0] : .all(wanted)
        return unwanted.isEmpty ? query : .excluding(query, unwanted.count == 1 ? unwanted[0] : .any(unwanted))
    }

    /// One word, phrase or bracket; `nil` if none begins here, in which case what does is passed over or left.
    private mutating func primary(depth: Int) -> SearchQuery? {
        switch tokens.first {
        case .none, .close, .or: return nil
        case .not:
            tokens.removeFirst()
            return nil
        case .open:
            tokens.removeFirst()
            guard depth < Self.maximumDepth else { return nil }
            let query = alternatives(depth: depth + 1)
            if tokens.first == .close { tokens.removeFirst() }
            return query
        case .field(let field):
            tokens.removeFirst()
            return primary(depth: depth).map { .field(field, $0) }
        case .quoted(let text):
            tokens.removeFirst()
            return .phrase(text)
        case .word(let text):
            tokens.removeFirst()
            if text.hasSuffix("*") { return .prefix(String(text.dropLast())) }
            return isTyping && tokens.isEmpty ? .prefix(text) : .word(text)
        }
    }

    // MARK: Tokens

    private static func isQuote(_ character: Character) -> Bool { "\"“”„«»".contains(character) }

    private static func tokens(of text: Substring) -> [Token] {
        var tokens: [Token] = []
        var rest = text
        while let character = rest.first {
            if character.isWhitespace {
                rest.removeFirst()
            } else if isQuote(character) {
                rest.removeFirst()
                let end = rest.firstIndex(where: isQuote) ?? rest.endIndex
                tokens.append(.quoted(String(rest[..<end])))
                rest = rest[end...].dropFirst()
            } else if character == "(" || character == ")" {
                tokens.append(character == "(" ? .open : .close)
                rest.removeFirst()
            } else if character == "-", let next = rest.dropFirst().first, !next.isWhitespace, next != "-" {
                tokens.append(.not)
                rest.removeFirst()
            } else if let (field, end) = field(at: rest) {
                tokens.append(.field(field))
                rest = rest[end...]
            } else {
                let end = rest.firstIndex { $0.isWhitespace || isQuote($0) || $0 == "(" || $0 == ")" } ?? rest.endIndex
                switch rest[..<end] {
                case "AND": break
                case "OR": tokens.append(.or)
                case "NOT": tokens.append(.not)
                default: tokens.append(.word(String(rest[..<end])))
                }
                rest = rest[end...]
            }
        }
        return tokens
    }

    /// The field that is named here with a colon after it, and where what is searched in it begins.
    private static func field(at text: Substring) -> (SearchField, Substring.Index)? {
        guard let colon = text.prefix(12).firstIndex(of: ":"),
            let field = SearchField(rawValue: text[..<colon].lowercased())
        else { return nil }
        let start = text.index(after: colon)
        guard start < text.endIndex, !text[start].isWhitespace else { return nil }
        return (field, start)
    }
}
