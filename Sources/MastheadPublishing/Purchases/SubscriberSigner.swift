public import FoundationEssentials
public import MastheadNetworking

/// Signs requests to the subscriber server: MD5 over a nonce, the shared secret, the path and the body.
///
/// ```swift
/// let subscriber = NetworkingConfiguration(domainURL: "subscriber.example.com") {
///     $0.signer = SubscriberSigner(sharedSecret: secret)
/// }
/// ```
///
/// ``PurchaseRepository`` has one of its own; this is for an app's own calls to that server. `X-Serial-Nonce` is 32 random
/// bytes in Base64, `X-Serial-MD5` the lower-case hexadecimal MD5 of nonce, secret, a slash, what follows the host's first
/// slash as sent, and the body. A body that is not in memory cannot be signed: the call ends in
/// `RepositoryError.invalidRequest`. The scheme is the server's: it keeps out who does not know the secret, which every copy
/// of the app holds, and covers neither the method nor a time. Rely on TLS for everything else.
public struct SubscriberSigner: RequestSigner {
    private let sharedSecret: Secret
    private let makeNonce: @Sendable () throws(RepositoryError) -> String

    /// Makes a signer.
    ///
    /// - Parameter sharedSecret: What the publisher shares with its apps; without one every call ends in
    ///   `RepositoryError.invalidConfiguration` and nothing is sent.
    public init(sharedSecret: Secret) {
        self.init(sharedSecret: sharedSecret, makeNonce: RequestSignature.makeNonce)
    }

    package init(sharedSecret: Secret, makeNonce: @escaping @Sendable () throws(RepositoryError) -> String) {
        self.sharedSecret = sharedSecret
        self.makeNonce = makeNonce
    }

    /// The two fields, each time with a nonce of its own; the date does not matter.
    public func signature(of request: HTTPRequest, at date: Date) async throws(RepositoryError) -> HTTPHeaders {
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
