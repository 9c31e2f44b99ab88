import MastheadJSON

/// One step down into a value: to a member by name, or to an element by index.
struct JSONStep: Sendable {
    let name: String
    let index: Int?

    /// Whether a member's name is the one to step to.
    func matches(_ key: JSONToken, _ bytes: Span<UInt8>) -> Bool {
        if !key.isEscaped {
            let count = key.end - key.start - 2
            guard count == name.utf8.count else { return false }
            var place = key.start + 1
            for byte in name.utf8 {
                guard bytes[place] == byte else { return false }
                place += 1
            }
            return true
        }
        return JSONTokenizer.text(of: key, bytes) == name
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
