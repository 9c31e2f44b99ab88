package import FoundationEssentials

/// A `Retry-After` field (RFC 9110, section 10.2.3): how long a server wants to be left alone.
package enum RetryAfter {
    /// What a longer wait is cut to, as RFC 9111, section 1.2.2, has it for seconds that overflow.
    private static let maximumSeconds = Int(Int32.max)

    /// The wait a field asks for at a date: zero for a moment that has passed; `nil` if the field is neither seconds
    /// nor an HTTP date, so that it asks for nothing (`-3`, `1.5`, `soon`).
    package static func delay(of value: String, at now: Date) -> Duration? {
        let text = value.trimmingBlanks
        if !text.isEmpty, text.utf8.allSatisfy(\.isDigit) {
            return .seconds(min(Int(text) ?? maximumSeconds, maximumSeconds))
        }
        guard let date = Date(httpDate: text, now: now) else { return nil }
        let seconds = date.timeIntervalSince(now)
        guard seconds > 0 else { return .zero }
        return .seconds(min(seconds, Double(maximumSeconds)))
    }
}

extension String {
    /// The text without spaces and tabs at its ends (RFC 9110, section 5.6.3).
    var trimmingBlanks: Substring {
        let start = self[...].drop { $0 == " " || $0 == "\t" }
        guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return start[...last]
    }
}
