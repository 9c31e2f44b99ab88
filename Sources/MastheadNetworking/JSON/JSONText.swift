package import FoundationEssentials
package import MastheadJSON

/// Bytes that may be JSON, looked at without decoding them: for errors, codes in a refusal, and reports.
///
/// ```swift
/// let text = JSONText(response.body)
/// text.value(at: "/error/code")
/// text.offset(of: context.codingPath)
/// ```
///
/// Everything here takes any bytes, of any size, in one pass without recursion. They must be UTF-8: see ``BodyText``.
package struct JSONText: Sendable {
    /// The bytes.
    package let bytes: Data

    /// Makes a text of bytes.
    package init(_ bytes: Data) {
        self.bytes = bytes
    }

    /// Where and why the bytes are no JSON; `nil` if they are one whole value.
    package var syntaxError: JSONSyntaxError? { TapeDecoder().syntaxError(in: bytes) }

    /// The whole as a value.
    package func value() throws(JSONSyntaxError) -> JSONValue {
        let span = bytes.span
        var tokenizer = JSONTokenizer()
        let first = try tokenizer.expect(span)
        let value = try tokenizer.value(first, span)
        _ = try tokenizer.next(span)
        return value
    }

    /// The value a pointer leads to; `nil` if it leads nowhere, or the bytes are no JSON up to there.
    package func value(at pointer: JSONPointer) -> JSONValue? {
        let span = bytes.span
        var tokenizer = JSONTokenizer()
        let steps = pointer.tokens.map { JSONStep(name: $0, index: JSONPointer.index($0)) }
        guard let first = try? tokenizer.locate(steps, span) else { return nil }
        return try? tokenizer.value(first, span)
    }

    /// Where the value of a coding path starts, in bytes; `nil` if there is none, or the bytes are no JSON.
    ///
    /// - Parameters:
    ///   - codingPath: The path, as a decoding error tells it.
    ///   - keys: How the decoder made names of the members' names.
    /// - Returns: The place of the value's first byte.
    package func offset(of codingPath: [any CodingKey], keys: DecodingOptions.Keys = .asWritten) -> Int? {
        var options = DecodingOptions()
        options.keys = keys
        return options.makeTapeDecoder().offset(of: codingPath, in: bytes)
    }
}
