import FoundationEssentials

extension ResponseError {
    /// The value at a place in the body; `nil` if the body is no JSON or has nothing there.
    ///
    /// ```swift
    /// error.value(at: "/error/message")?.stringValue
    /// ```
    ///
    /// - Parameter pointer: The place (RFC 6901).
    /// - Returns: The value; a `null` that stands there is ``JSONValue/null``.
    public func value(at pointer: JSONPointer) -> JSONValue? {
        guard let text = try? BodyText(body, contentType: headers["Content-Type"]) else { return nil }
        return JSONText(text.utf8).value(at: pointer)
    }

    /// Makes a value of the body, as ``HTTPResponse/decode(_:)`` does: a failure is reported to
    /// ``NetworkingConfiguration/onDecodingFailure``, once.
    ///
    /// - Returns: The value; for an optional type `nil` if the body is empty or `null`.
    public func decode<Value: Decodable>(_ type: Value.Type) -> Result<Value, RepositoryError> {
        Result { () throws(RepositoryError) in
            let decoding = decoding ?? .standard
            return try decoding.value(type, from: body, headers: headers, status: status)
        }
    }
}
