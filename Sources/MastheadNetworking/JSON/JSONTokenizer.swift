import MastheadJSON

/// One step through a JSON text.
struct JSONToken: Sendable {
    enum Kind: Sendable {
        case beginObject, endObject, beginArray, endArray
        case key, string, number, bool, null
    }

    let kind: Kind

    /// Where it starts, and where the byte after it stands; a string's quotes are part of it.
    let start: Int
    let end: Int

    /// Whether a string or key holds an escape.
    var isEscaped = false
}

/// Steps through a JSON text (RFC 8259) strictly, token by token, without recursion and without keeping any of it.
///
/// It holds only its place, so that the bytes are lent to it for each step. No input makes it trap: what is no JSON
/// ends in a ``JSONSyntaxError``, and nesting is bounded.
struct JSONTokenizer: Sendable {
    private enum Expectation {
        case value, valueOrEnd, key, keyOrEnd, commaOrEnd, end
    }

    private var index = 0
    private var expectation = Expectation.value
    private var isObject: [Bool] = []

    /// How many containers are open.
    var depth: Int { isObject.count }

    /// The next token; `nil` after the end of a whole text.
    mutating func next(_ bytes: Span<UInt8>) throws(JSONSyntaxError) -> JSONToken? {
        while true {
            skipWhitespace(bytes)
            guard index < bytes.count else {
                if expectation == .end { return nil }
                throw JSONSyntaxError(offset: index, reason: "the JSON ends early")
            }
            let byte = bytes[index]
            switch expectation {
            case .end: throw JSONSyntaxError(offset: index, reason: "something follows the JSON value")
            case .commaOrEnd:
                guard byte == UInt8(ascii: ",") else { return try endContainer(byte) }
                expectation = isObject.last == true ? .key : .value
                index += 1
            case .keyOrEnd where byte == UInt8(ascii: "}"), .valueOrEnd where byte == UInt8(ascii: "]"):
                return try endContainer(byte)
            case .key, .keyOrEnd: return try key(bytes)
            case .value, .valueOrEnd: return try value(byte, bytes)
            }
        }
    }

    /// The next token, where the text cannot be over.
    mutating func expect(_ bytes: Span<UInt8>) throws(JSONSyntaxError) -> JSONToken {
        guard let token = try next(bytes) else { throw JSONSyntaxError(offset: index, reason: "the JSON ends early") }
        return token
    }

    /// Goes behind the value whose first token was read.
    mutating func skip(_ first: JSONToken, _ bytes: Span<UInt8>) throws(JSONSyntaxError) {
        guard first.kind == .beginObject || first.kind == .beginArray else { return }
        let outside = depth - 1
        while depth > outside { _ = try expect(bytes) }
    }
}

// MARK: - Structure

extension JSONTokenizer {
    private mutating func skipWhitespace(_ bytes: Span<UInt8>) {
        while index < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[index]) { index += 1 }
    }

    private mutating func begin(_ kind: JSONToken.Kind) throws(JSONSyntaxError) -> JSONToken {
        guard depth < JSONValue.maximumDepth else {
            throw JSONSyntaxError(offset: index, reason: "nested deeper than \(JSONValue.maximumDepth) levels")
        }
        isObject.append(kind == .beginObject)
        expectation = kind == .beginObject ? .keyOrEnd : .valueOrEnd
        index += 1
        return JSONToken(kind: kind, start: index - 1, end: index)
    }

    private mutating func endContainer(_ byte: UInt8) throws(JSONSyntaxError) -> JSONToken {
        let inObject = isObject.last == true
        guard byte == (inObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
            throw JSONSyntaxError(offset: index, reason: inObject ? "expected `,` or `}`" : "expected `,` or `]`")
        }
        isObject.removeLast()
        index += 1
        endValue()
        return JSONToken(kind: inObject ? .endObject : .endArray, start: index - 1, end: index)
    }

    private mutating func endValue() {
        expectation = isObject.isEmpty ? .end : .commaOrEnd
    }

    private mutating func key(_ bytes: Span<UInt8>) throws(JSONSyntaxError) -> JSONToken {
        guard bytes[index] == UInt8(ascii: "\"") else {
            throw JSONSyntaxError(offset: index, reason: "expected a member's name in quotes")
        }
        let token = try string(.key, bytes)
        skipWhitespace(bytes)
        guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else {
            throw JSONSyntaxError(offset: index, reason: index < bytes.count ? "expected `:`" : "the JSON ends early")
        }
        index += 1
        expectation = .value
        return token
    }

    private mutating func value(_ byte: UInt8, _ bytes: Span<UInt8>) throws(JSONSyntaxError) -> JSONToken {
        switch byte {
        case UInt8(ascii: "{"): return try begin(.beginObject)
        case UInt8(ascii: "["): return try begin(.beginArray)
        default: break
        }
        let token =
            switch byte {
            case UInt8(ascii: "\""): try string(.string, bytes)
            case UInt8(ascii: "t"): try literal("true", .bool, bytes)
            case UInt8(ascii: "f"): try literal("false", .bool, bytes)
            case UInt8(ascii: "n"): try literal("null", .null, bytes)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number(bytes)
            default: throw JSONSyntaxError(offset: index, reason: "no JSON value starts like this")
            }
        endValue()
        return token
    }
}

// MARK: - Scalars

extension JSONTokenizer {
    private mutating func literal(
        _ word: StaticString,
        _ kind: JSONToken.Kind,
        _ bytes: Span<UInt8>
    ) throws(JSONSyntaxError) -> JSONToken {
        let start = index
        for offset in 0..<word.utf8CodeUnitCount {
            guard index < bytes.count, bytes[index] == word.utf8Start[offset] else {
                throw JSONSyntaxError(offset: index, reason: "no JSON value is spelt like this")
            }
            index += 1
        }
        return JSONToken(kind: kind, start: start, end: index)
    }

    private mutating func number(_ bytes: Span<UInt8>) throws(JSONSyntaxError) -> JSONToken {
        let start = index
        if bytes[index] == UInt8(ascii: "-") { index += 1 }
        let isZero = index < bytes.count && bytes[index] == UInt8(ascii: "0")
        if isZero { index += 1 } else { try digits(bytes) }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            try digits(bytes)
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
                index += 1
            }
            try digits(bytes)
        }
        if index < bytes.count, bytes[index].isDigit {
            throw JSONSyntaxError(offset: index, reason: "a number starts with 0")
        }
        return JSONToken(kind: .number, start: start, end: index)
    }

    private mutating func digits(_ bytes: Span<UInt8>) throws(JSONSyntaxError) {
        let start = index
        while index < bytes.count, bytes[index].isDigit { index += 1 }
        if index == start { throw JSONSyntaxError(offset: index, reason: "a number lacks a digit") }
    }

    private mutating func string(_ kind: JSONToken.Kind, _ bytes: Span<UInt8>) throws(JSONSyntaxError) -> JSONToken {
        var token = JSONStringScanner(index: index + 1)
        try token.scan(bytes)
        let start = index
        index = token.index
        return JSONToken(kind: kind, start: start, end: index, isEscaped: token.isEscaped)
    }
}
