import FoundationEssentials
import MastheadJSON

extension JSONText {
    /// What stands around a place, fit for a report: structure, names, types and lengths, and not one value.
    ///
    /// A string becomes its length in characters, `"‹12›"`; the digits of a number become zeros, since a number may be a
    /// telephone's; `true`, `false` and `null` stay. The name of a member stays if it looks like one: letters, digits,
    /// `_`, `-`, `.`, `$`, `@` at its start; at most 40 bytes and five digits. Any other is masked as a string is, since
    /// an object may be keyed by e-mail address. What is left out at either end is a `…`.
    ///
    /// - Parameters:
    ///   - offset: The place in the bytes; `nil` for their start.
    ///   - limit: How many bytes the snippet may have.
    /// - Returns: The snippet; what came before the break if the bytes are cut or broken; empty if they are no JSON.
    package func snippet(around offset: Int? = nil, limit: Int = 400) -> String {
        let span = bytes.span
        var writer = SnippetWriter(target: offset ?? 0, limit: limit)
        var tokenizer = JSONTokenizer()
        do {
            while !writer.isFull, let token = try tokenizer.next(span) { writer.append(token, span) }
            return writer.finish(isWhole: !writer.isFull)
        } catch {
            return writer.finish(isWhole: false)
        }
    }
}

/// Writes masked tokens and keeps those around a place.
private struct SnippetWriter {
    private static let ellipsis = "…"

    /// How many bytes before the place tokens are masked at all: far more than the snippet can hold, since a long string
    /// becomes a short one, and little in a body of many megabytes.
    private static let reach = 1 << 16

    /// The kept tokens before the place, oldest first, and the text from the place on.
    private var before: [String] = []
    private var firstBefore = 0
    private var beforeSize = 0
    private var after = ""
    private var isCutBefore = false
    private var previous: JSONToken.Kind?

    private let target: Int
    private let limit: Int
    private let beforeLimit: Int
    private(set) var isFull = false

    init(target: Int, limit: Int) {
        self.target = target
        self.limit = max(0, limit - 2 * Self.ellipsis.utf8.count)
        beforeLimit = self.limit / 2
    }

    mutating func append(_ token: JSONToken, _ bytes: Span<UInt8>) {
        defer { previous = token.kind }
        if token.end < target - Self.reach {
            isCutBefore = true
            return
        }
        let text = separator(before: token.kind) + Self.mask(token, bytes)
        if token.end <= target {
            before.append(text)
            beforeSize += text.utf8.count
            while beforeSize > beforeLimit, firstBefore < before.count {
                beforeSize -= before[firstBefore].utf8.count
                firstBefore += 1
                isCutBefore = true
            }
            // The tokens let go are dropped now and then, so that neither memory nor time grows with the bytes.
            if firstBefore > 512 {
                before.removeFirst(firstBefore)
                firstBefore = 0
            }
        } else if beforeSize + after.utf8.count + text.utf8.count <= limit {
            after += text
        } else {
            isFull = true
        }
    }

    consuming func finish(isWhole: Bool) -> String {
        let kept = before[firstBefore...].joined() + after
        guard !kept.isEmpty else { return "" }
        return (isCutBefore ? Self.ellipsis : "") + kept + (isWhole ? "" : Self.ellipsis)
    }

    private func separator(before kind: JSONToken.Kind) -> String {
        guard let previous else { return "" }
        return switch (previous, kind) {
        case (.key, _): ":"
        case (.beginObject, _), (.beginArray, _), (_, .endObject), (_, .endArray): ""
        default: ","
        }
    }
}

// MARK: - Masking

extension SnippetWriter {
    private static func mask(_ token: JSONToken, _ bytes: Span<UInt8>) -> String {
        switch token.kind {
        case .beginObject: "{"
        case .endObject: "}"
        case .beginArray: "["
        case .endArray: "]"
        case .bool, .null: bytes.text(token.start, token.end)
        case .number: maskNumber(token, bytes)
        case .string: maskString(token, bytes)
        case .key: looksLikeName(token, bytes) ? bytes.text(token.start, token.end) : maskString(token, bytes)
        }
    }

    private static func maskNumber(_ token: JSONToken, _ bytes: Span<UInt8>) -> String {
        let end = min(token.end, token.start + 32)
        var digits: [UInt8] = []
        for index in token.start..<end {
            digits.append(bytes[index].isDigit ? UInt8(ascii: "0") : bytes[index])
        }
        return String(decoding: digits, as: UTF8.self) + (end < token.end ? ellipsis : "")
    }

    private static func maskString(_ token: JSONToken, _ bytes: Span<UInt8>) -> String {
        var count = 0
        var scanner = JSONStringScanner(index: token.start + 1)
        while scanner.index < token.end - 1 {
            if bytes[scanner.index] == UInt8(ascii: "\\"), (try? scanner.escape(bytes)) != nil {
                count += 1
            } else {
                if bytes[scanner.index] & 0xC0 != 0x80 { count += 1 }
                scanner.index += 1
            }
        }
        return "\"‹\(count)›\""
    }

    private static func looksLikeName(_ token: JSONToken, _ bytes: Span<UInt8>) -> Bool {
        let start = token.start + 1
        let end = token.end - 1
        guard end > start, end - start <= 40 else { return false }
        var digits = 0
        for index in start..<end {
            switch bytes[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...: break
            case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "$"), UInt8(ascii: ":"): break
            case UInt8(ascii: "@") where index == start: break
            default: return false
            }
        }
        return digits <= 5
    }
}
