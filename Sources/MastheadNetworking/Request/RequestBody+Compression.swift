import MastheadTransport

extension RequestBody {
    /// The same body in gzip, announced by `Content-Encoding: gzip` (RFC 9110, section 8.4).
    ///
    /// ```swift
    /// .post("reports", body: .json(report).compressed())
    /// ```
    ///
    /// For texts of a kilobyte or more, and servers that are known to take it: others answer 415, or make nothing of it.
    /// It is sent again in the same form where a redirect or a repetition asks for that. Bodies of files and streams are
    /// not compressed: with one of them the call ends in ``RepositoryError/invalidRequest(reason:)``, and so it does with
    /// a request that names another coding in a field of its own.
    public func compressed() -> RequestBody {
        guard contentEncoding == nil else { return self }
        let make = make
        return RequestBody(contentType: contentType, contentEncoding: "gzip") { configuration in
            let plain = try make(configuration)
            guard let bytes = plain.data else {
                throw RepositoryError.invalidRequest(reason: "only a body in memory can be compressed")
            }
            var compressed = HTTPBody.data(try GzipEncoder.encode(bytes))
            compressed.onProgress = plain.onProgress
            return compressed
        }
    }
}
