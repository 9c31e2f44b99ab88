import MastheadTransport

extension HTTPRequest {
    /// Asks for what is missing of a file, before it is signed.
    ///
    /// - Throws: ``RepositoryError/invalidRequest(reason:)`` for a request that asks for a part itself.
    mutating func ask(
        for file: PartFile,
        _ configuration: NetworkingConfiguration
    ) async throws(RepositoryError) {
        guard method == .get, headers["Range"] == nil, headers["If-Range"] == nil else {
            throw .invalidRequest(reason: "a download is a GET that says itself what is missing")
        }
        plainHeaders = headers
        let (name, binding) = (Redaction(configuration).url(url), binding)
        let fields = await OwnThread.run { file.headers(for: name, in: binding) }.fields
        for field in fields { headers[field.name] = field.value }
    }

    /// The same request for what is missing of the file now, signed anew if it was: a server takes a nonce once.
    func again(
        for file: PartFile,
        _ configuration: NetworkingConfiguration
    ) async throws(RepositoryError) -> HTTPRequest {
        var request = self
        if let plainHeaders { request.headers = plainHeaders }
        request.isSigned = false
        try await request.ask(for: file, configuration)
        if isSigned, let signer = configuration.signer {
            try await request.sign(by: signer, at: configuration.time.date)
        }
        return request
    }
}
