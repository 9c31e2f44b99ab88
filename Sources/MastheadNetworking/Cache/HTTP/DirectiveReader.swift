/// Takes a list of directives apart, one by one: `name`, `name=token` or `name="quoted, \" string"`.
///
/// A comma within quotes parts nothing. A quote that is never closed is taken for a character like any other, so that
/// no directive hides behind it, and the list is called broken.
struct DirectiveReader {
    /// What stands behind the `=`.
    enum Argument: Hashable {
        /// There is none.
        case none
        /// A token, or a string without its quotes.
        case value(String)
        /// Neither, or with blanks around the `=`.
        case malformed
    }

    /// One member of the list.
    struct Directive: Hashable {
        /// In lower case, without blanks at its ends; not always a token.
        let name: String
        let argument: Argument
    }

    /// Whether a quote was never closed.
    private(set) var isBroken = false

    private var rest: ArraySlice<UInt8>

    init(_ line: String) {
        rest = Array(line.utf8)[...]
    }

    /// The next member that is not empty; `nil` at the end.
    mutating func next() -> Directive? {
        while !rest.isEmpty {
            let end = endOfMember()
            let member = rest[..<end]
            rest = rest[end...].dropFirst()
            if member.contains(where: { !Self.isBlank($0) }) { return Self.directive(member) }
        }
        return nil
    }

    /// Where the next comma outside of quotes is, or the end.
    private mutating func endOfMember() -> Int {
        var isQuoted = false
        var place = rest.startIndex
        while !isBroken, place < rest.endIndex {
            switch rest[place] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "\\") where isQuoted: place += 1
            case UInt8(ascii: ",") where !isQuoted: return place
            default: break
            }
            place += 1
        }
        if isQuoted { isBroken = true }
        guard isBroken else { return rest.endIndex }
        return rest.firstIndex(of: UInt8(ascii: ",")) ?? rest.endIndex
    }

    private static func directive(_ member: ArraySlice<UInt8>) -> Directive {
        let sign = member.firstIndex(of: UInt8(ascii: "="))
        let spelled = member[..<(sign ?? member.endIndex)]
        let name = text(trimmed(spelled)).lowercased()
        guard let sign else { return Directive(name: name, argument: .none) }
        let value = member[(sign + 1)...]
        let hasBlanks = spelled.last.map(isBlank) ?? true || value.first.map(isBlank) ?? true
        guard !hasBlanks else { return Directive(name: name, argument: .malformed) }
        return Directive(name: name, argument: argument(trimmed(value)))
    }

    private static func argument(_ value: ArraySlice<UInt8>) -> Argument {
        if !value.isEmpty, value.allSatisfy(ASCIISet.token.contains) { return .value(text(value)) }
        let quote = UInt8(ascii: "\"")
        guard value.count >= 2, value.first == quote, value.last == quote else { return .malformed }
        var bytes: [UInt8] = []
        var inner = value.dropFirst().dropLast()
        while let byte = inner.popFirst() {
            if byte == quote { return .malformed }
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            guard let escaped = inner.popFirst() else { return .malformed }
            bytes.append(escaped)
        }
        return .value(text(bytes[...]))
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let start = bytes.drop(while: isBlank)
        guard let last = start.lastIndex(where: { !isBlank($0) }) else { return [] }
        return start[...last]
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
