extension CacheControl {
    /// Nobody means more than this; a longer field is read as if it forbade everything.
    private static let maximumLength = 8192

    /// More than this many fields of `no-cache="…"` are taken for all.
    private static let maximumFields = 32

    /// Reads the field's lines, each a list by itself.
    init(lines: [String]) {
        guard lines.reduce(0, { $0 + $1.utf8.count }) <= Self.maximumLength else {
            noStore = true
            noCache = true
            return
        }
        for line in lines {
            var reader = DirectiveReader(line)
            while let directive = reader.next() { apply(directive) }
            // What it was meant to say is anybody's guess.
            if reader.isBroken { noCache = true }
        }
    }

    private mutating func apply(_ directive: DirectiveReader.Directive) {
        let argument = directive.argument
        switch directive.name {
        case "no-store": noStore = true
        case "no-cache": applyNoCache(argument)
        case "max-age": maxAge = min(maxAge ?? .max, Self.seconds(argument) ?? 0)
        case "min-fresh": minFresh = max(minFresh ?? 0, Self.seconds(argument) ?? Self.maximumSeconds)
        case "max-stale":
            let seconds = argument == .none ? Self.maximumSeconds : Self.seconds(argument) ?? 0
            maxStale = min(maxStale ?? .max, seconds)
        case "only-if-cached": onlyIfCached = true
        case "must-revalidate": mustRevalidate = true
        case "must-understand": mustUnderstand = true
        case "public": isPublic = true
        case "private": isPrivate = true
        case "immutable": isImmutable = true
        case "stale-while-revalidate":
            staleWhileRevalidate = min(staleWhileRevalidate ?? .max, Self.seconds(argument) ?? 0)
        case "stale-if-error": staleIfError = min(staleIfError ?? .max, Self.seconds(argument) ?? 0)
        default: break
        }
    }

    /// Takes the names of fields; what is no list of names forbids the whole answer.
    private mutating func applyNoCache(_ argument: DirectiveReader.Argument) {
        guard case .value(let list) = argument else {
            noCache = true
            return
        }
        let names = list.utf8.split(separator: UInt8(ascii: ",")).map {
            String(Substring($0)).trimmingBlanks.lowercased()
        }
        let areTokens = names.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(ASCIISet.token.contains) }
        guard !names.isEmpty, areTokens, noCacheFields.count + names.count <= Self.maximumFields else {
            noCache = true
            return
        }
        noCacheFields.formUnion(names)
    }

    /// Reads a number of seconds (section 1.2.2), quoted or not; `nil` if it is none.
    private static func seconds(_ argument: DirectiveReader.Argument) -> Int? {
        guard case .value(let text) = argument, !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else { return nil }
        return min(Int(text) ?? maximumSeconds, maximumSeconds)
    }
}

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
