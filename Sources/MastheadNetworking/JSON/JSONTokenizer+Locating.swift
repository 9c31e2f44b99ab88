/// One step down into a value: to a member by name, or to an element by index.
struct JSONStep: Sendable {
    let name: String
    let index: Int?
    var keys: DecodingOptions.Keys = .asWritten

    /// Whether a member's name is the one to step to.
    func matches(_ key: JSONToken, _ bytes: Span<UInt8>) -> Bool {
        if !key.isEscaped, keys == .asWritten {
            let count = key.end - key.start - 2
            guard count == name.utf8.count else { return false }
            var place = key.start + 1
            for byte in name.utf8 {
                guard bytes[place] == byte else { return false }
                place += 1
            }
            return true
        }
        let written = JSONTokenizer.text(of: key, bytes)
        return written == name || (keys == .convertFromSnakeCase && written.convertedFromSnakeCase == name)
    }
}

extension JSONTokenizer {
    /// The first token of the value at the end of the steps; `nil` if they lead nowhere.
    ///
    /// Call it at the start of a text. Of two members with the same name, the first is taken.
    mutating func locate(_ steps: [JSONStep], _ bytes: Span<UInt8>) throws(JSONSyntaxError) -> JSONToken? {
        var value = try expect(bytes)
        for step in steps {
            let found: JSONToken? =
                switch value.kind {
                case .beginObject: try member(step, bytes)
                case .beginArray: try element(step, bytes)
                default: nil
                }
            guard let found else { return nil }
            value = found
        }
        return value
    }

    private mutating func member(_ step: JSONStep, _ bytes: Span<UInt8>) throws(JSONSyntaxError) -> JSONToken? {
        while true {
            let key = try expect(bytes)
            guard key.kind == .key else { return nil }
            let value = try expect(bytes)
            if step.matches(key, bytes) { return value }
            try skip(value, bytes)
        }
    }

    private mutating func element(_ step: JSONStep, _ bytes: Span<UInt8>) throws(JSONSyntaxError) -> JSONToken? {
        guard let index = step.index, index >= 0 else { return nil }
        var current = 0
        while true {
            let value = try expect(bytes)
            if value.kind == .endArray { return nil }
            if current == index { return value }
            try skip(value, bytes)
            current += 1
        }
    }
}

extension String {
    /// The name as `JSONDecoder.KeyDecodingStrategy.convertFromSnakeCase` makes it: `publish_date` to `publishDate`,
    /// underscores at the start and the end kept.
    var convertedFromSnakeCase: String {
        let words = split(separator: "_")
        guard let first = words.first, let last = words.last else { return self }
        let leading = self[..<first.startIndex]
        let trailing = self[last.endIndex...]
        guard words.count > 1 else { return self }
        return leading + first.lowercased() + words.dropFirst().map(\.capitalizedWord).joined() + trailing
    }
}

extension Substring {
    fileprivate var capitalizedWord: String { prefix(1).uppercased() + dropFirst().lowercased() }
}
