/// A `Content-Range` field of bytes (RFC 9110, section 14.4): which part of what a server has to serve follows.
///
/// ```swift
/// ContentRange("bytes 5-9/10")    // range 5..<10, size 10
/// ContentRange("bytes 0-4/*")     // range 0..<5, the size not known
/// ContentRange("bytes */10")      // no range: what was asked for is not there
/// ```
package struct ContentRange: Sendable, Hashable {
    /// The bytes that follow; `nil` if none of those that were asked for are there.
    package let range: Range<Int>?

    /// How many bytes there are in all; `nil` if the server does not know.
    package let size: Int?

    /// Reads a field's value; `nil` for other units, for what is malformed, and for a range that ends before it starts
    /// or beyond the size: nothing may be made of such an answer.
    package init?(_ value: String) {
        let parts = value.trimmingBlanks.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, String(parts[0]).isEqualIgnoringASCIICase("bytes") else { return nil }
        let halves = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        size = Self.number(halves[1])
        guard size != nil || halves[1] == "*" else { return nil }
        if halves[0] == "*" {
            guard size != nil else { return nil }
            range = nil
        } else {
            let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
                size.map({ last < $0 }) ?? true
            else { return nil }
            range = first..<last + 1
        }
    }

    /// The number of digits alone; `nil` for one that has no successor.
    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit), let number = Int(text), number < .max else { return nil }
        return number
    }
}
