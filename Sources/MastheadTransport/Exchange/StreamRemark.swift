/// What libcurl remarks about the streams of an HTTP/2 connection: there is no other way to learn of it.
package enum StreamRemark: Sendable, Hashable {
    /// The exchange has this stream.
    case stream(Int)
    /// The server serves no stream beyond this one any more.
    case lastServed(Int)

    /// Reads a remark; `nil` for one about anything else.
    package init?(_ text: some StringProtocol) {
        // "Using Stream ID: 5 (easy handle 0x…)", and with libcurl's own spelling
        // "recveived GOAWAY, error=0, last_stream=3".
        if let number = Self.number(in: text, behind: "Using Stream ID: ") {
            self = .stream(number)
        } else if text.contains("GOAWAY"), let number = Self.number(in: text, behind: "last_stream=") {
            self = .lastServed(number)
        } else {
            return nil
        }
    }

    private static func number(in text: some StringProtocol, behind label: String) -> Int? {
        guard let range = text.firstRange(of: label) else { return nil }
        return Int(text[range.upperBound...].prefix { $0.isNumber })
    }
}
