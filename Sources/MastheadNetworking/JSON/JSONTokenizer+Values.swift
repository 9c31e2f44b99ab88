import FoundationEssentials
import MastheadJSON

extension JSONTokenizer {
    /// The value whose first token was read, whole.
    ///
    /// A stack of its own instead of recursion: a hostile depth must not reach the thread's stack.
    mutating func value(_ first: JSONToken, _ bytes: Span<UInt8>) throws(JSONSyntaxError) -> JSONValue {
        var values: [JSONValue] = []
        var names: [String] = []
        var starts: [Int] = []
        var token = first
        while true {
            switch token.kind {
            case .beginObject, .beginArray: starts.append(values.count)
            case .endArray:
                let start = starts.popLast() ?? 0
                let elements = Array(values[start...])
                values.removeSubrange(start...)
                values.append(.array(elements))
            case .endObject:
                let start = starts.popLast() ?? 0
                let count = values.count - start
                let members = Dictionary(zip(names.suffix(count), values[start...])) { first, _ in first }
                values.removeSubrange(start...)
                names.removeLast(count)
                values.append(.object(members))
            case .key: names.append(Self.text(of: token, bytes))
            case .string: values.append(.string(Self.text(of: token, bytes)))
            case .number: values.append(JSONValue(number: bytes.text(token.start, token.end)))
            case .bool: values.append(.bool(bytes[token.start] == UInt8(ascii: "t")))
            case .null: values.append(.null)
            }
            if starts.isEmpty, let value = values.popLast() { return value }
            token = try expect(bytes)
        }
    }

    /// What a key or a string says, its escapes undone.
    static func text(of token: JSONToken, _ bytes: Span<UInt8>) -> String {
        guard token.isEscaped else { return bytes.text(token.start + 1, token.end - 1) }
        var result: [UInt8] = []
        result.reserveCapacity(token.end - token.start)
        var scanner = JSONStringScanner(index: token.start + 1)
        while scanner.index < token.end - 1 {
            let byte = bytes[scanner.index]
            if byte == UInt8(ascii: "\\"), let scalar = try? scanner.escape(bytes) {
                result.append(contentsOf: String(scalar).utf8)
            } else {
                result.append(byte)
                scanner.index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension Span<UInt8> {
    /// The bytes from one place up to another, as text.
    func text(_ start: Int, _ end: Int) -> String {
        extracting(start..<end).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
}

extension JSONValue {
    /// A number in JSON's spelling, as exact as it gets.
    init(number text: String) {
        if let value = Int64(text) {
            self = .int(value)
        } else if text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }),
            let value = Double(text), value.isFinite
        {
            // Beyond 53 bits `Double` would round a whole number unseen: `9007199254740993.0`.
            let whole =
                value.magnitude < 0x1p53
                ? Int64(exactly: value) : Decimal(string: text).flatMap { Int64($0.description) }
            self = whole.map(JSONValue.int) ?? .double(value)
        } else {
            self = .number(text)
        }
    }

    /// Whether the text is a number in JSON's spelling and nothing else.
    static func isNumber(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, first == UInt8(ascii: "-") || first.isDigit else { return false }
        var tokenizer = JSONTokenizer()
        guard let token = try? tokenizer.next(bytes.span) else { return false }
        return token.end == bytes.count
    }
}
