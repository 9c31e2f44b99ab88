import FoundationEssentials

extension HTTPRequest {
    /// Adds the signature of a signer, and makes sure that it can be sent.
    mutating func sign(by signer: any RequestSigner, at date: Date) async throws(RepositoryError) {
        var signed = self
        for field in try await signer.signature(of: self, at: date).fields { signed.headers[field.name] = field.value }
        try signed.checkSendable(unless: self)
        signed.isSigned = true
        self = signed
    }
}
