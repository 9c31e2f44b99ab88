import MastheadNetworking

/// Signs requests to the subscriber server.
struct SubscriberSigner: Sendable {
    private let sharedSecret: Secret
    private let makeNonce: @Sendable () throws(RepositoryError) -> String

    init(sharedSecret: Secret, makeNonce: @escaping @Sendable () throws(RepositoryError) -> String) {
        self.sharedSecret = sharedSecret
        self.makeNonce = makeNonce
    }

    /// The header fields that sign a request, each time with a nonce of its own.
    func signature(of request: HTTPRequest) throws(RepositoryError) -> HTTPHeaders {
        guard !sharedSecret.value.isEmpty else {
            throw .invalidConfiguration(
                reason: "sharedSecret is empty: the subscriber server answers nobody without it"
            )
        }
        let nonce = try makeNonce()
        let signature = try RequestSignature(nonce: nonce, secret: sharedSecret, of: request)
        return ["X-Serial-Nonce": nonce, "X-Serial-MD5": signature.value]
    }
}
