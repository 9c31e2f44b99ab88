/// The way to a value within a JSON text (RFC 6901).
///
/// ```swift
/// let code: JSONPointer = "/errors/0/code"
/// .mapCustomError(at: "/code", [40: VolumeError.unknownVolume])
/// ```
///
/// `~1` stands for a `/` within a name and `~0` for a `~`. The empty pointer leads to the whole.
public struct JSONPointer: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The names and indices on the way, unescaped.
    public let tokens: [String]

    /// Makes a pointer of its parts, as plain text.
    public init(tokens: [String]) {
        self.tokens = tokens
    }

    /// Makes a pointer of its text, read from somewhere.
    ///
    /// - Returns: `nil` if the text is neither empty nor starts with `/`, or has a `~` that is no escape.
    public init?(validating text: String) {
        guard text.isEmpty || text.hasPrefix("/") else { return nil }
        var previous: UInt8 = 0
        for byte in text.utf8 {
            if previous == UInt8(ascii: "~"), byte != UInt8(ascii: "0"), byte != UInt8(ascii: "1") { return nil }
            previous = byte
        }
        if previous == UInt8(ascii: "~") { return nil }
        tokens = Self.split(text)
    }

    /// Makes a pointer of a literal; a missing `/` at its start is taken as written, a `~` that is no escape for itself.
    public init(stringLiteral value: String) {
        tokens = Self.split(value)
    }

    /// The pointer's text.
    public var description: String {
        tokens.map { "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined()
    }

    private static func split(_ text: String) -> [String] {
        guard !text.isEmpty else { return [] }
        let parts = (text.hasPrefix("/") ? text.dropFirst() : text[...])
            .split(separator: "/", omittingEmptySubsequences: false)
        return parts.map { $0.replacing("~1", with: "/").replacing("~0", with: "~") }.map(String.init)
    }

    /// The index a part is (RFC 6901, section 4): digits without a zero before others.
    static func index(_ token: String) -> Int? {
        guard !token.isEmpty, token.utf8.allSatisfy(\.isDigit) else { return nil }
        guard token == "0" || token.utf8.first != UInt8(ascii: "0") else { return nil }
        return Int(token)
    }
}

extension JSONValue {
    /// The value a pointer leads to; `nil` if it leads nowhere.
    public func value(at pointer: JSONPointer) -> JSONValue? {
        var value = self
        for token in pointer.tokens {
            switch value {
            case .object(let members):
                guard let member = members[token] else { return nil }
                value = member
            case .array(let elements):
                guard let index = JSONPointer.index(token), elements.indices.contains(index) else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        return value
    }
}
