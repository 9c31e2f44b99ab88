/// The text of one or more statements.
///
/// A literal is known by its address, so that the statement prepared from it is found again without a look at the text.
/// There is no interpolation: values are bound, and nothing that came from outside can become part of a statement by
/// accident. What must be put together at run time is marked as such:
///
/// ```swift
/// try connection.run("DELETE FROM payload WHERE key = ?", key)
/// try connection.run(.dynamic("DELETE FROM payload WHERE \(conditions)"), key)
/// ```
package struct SQL: Sendable, ExpressibleByStringLiteral {
    enum Text: Sendable {
        case literal(StaticString)
        case dynamic(String)
    }

    let text: Text

    package init(stringLiteral text: StaticString) {
        self.text = text.hasPointerRepresentation ? .literal(text) : .dynamic("\(text)")
    }

    private init(text: Text) {
        self.text = text
    }

    /// A text put together at run time.
    ///
    /// Those used last are kept prepared, a bounded number; errors do not quote it.
    package static func dynamic(_ text: String) -> Self {
        Self(text: .dynamic(text))
    }

    /// The text if it stands in the source code, for a report.
    var literal: String? {
        guard case .literal(let text) = text else { return nil }
        return "\(text)"
    }

    /// Gives the text's bytes, UTF-8 and without a zero at the end.
    func withUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        switch text {
        case .literal(let text):
            return body(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        case .dynamic(var text):
            return text.withUTF8(body)
        }
    }
}
