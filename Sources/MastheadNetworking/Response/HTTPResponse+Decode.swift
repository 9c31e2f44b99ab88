extension HTTPResponse {
    /// Makes a value of the body, as the repository that got the answer would.
    ///
    /// ```swift
    /// await performRaw(.get("catalogue.json")).flatMap { $0.decode(Catalogue.self) }
    /// ```
    ///
    /// A failure is reported to ``NetworkingConfiguration/onDecodingFailure``, once, and comes back as
    /// ``RepositoryError/jsonError(_:)`` or ``RepositoryError/decodeError(_:)``. An answer that an app made itself
    /// decodes with the default ``DecodingOptions``, and reports to nobody. It decodes on the caller's actor.
    ///
    /// - Returns: The value; for an optional type `nil` if the body is empty or `null`.
    public func decode<Value: Decodable>(_ type: Value.Type) -> Result<Value, RepositoryError> {
        Result { () throws(RepositoryError) in try value(type) }
    }

    func value<Value: Decodable>(_ type: Value.Type) throws(RepositoryError) -> Value {
        let decoding = decoding ?? .standard
        return try decoding.value(type, from: body, headers: headers, status: status)
    }
}
