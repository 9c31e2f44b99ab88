public import FoundationEssentials
public import MastheadNetworking

/// Asks the publisher's subscriber server what a reader owns.
///
/// ```swift
/// let subscriber = NetworkingConfiguration(domainURL: "subscriber.example.com")
/// let purchases = PurchaseRepository(configuration: subscriber, sharedSecret: secret)
///
/// let owned = try await purchases.skus(forEmail: email).get()
/// ```
///
/// Every method is safe to call from any task. The paths start with `api/1.5/serial`, below the configuration's own
/// path. Each attempt is signed by a ``SubscriberSigner`` with a fresh nonce, over exactly what is sent; it stands in the
/// place of the configuration's own signer. The catalogue's client key is not sent.
///
/// The signature is the server's own scheme, an MD5 over the secret and the request: it keeps out who does not know the
/// secret, which every copy of the app holds. Rely on TLS for everything else.
///
/// ## Topics
///
/// ### What a reader owns
/// - ``skus(forEmail:)``
/// - ``skus(verifying:)``
/// - ``verification(of:)``
///
/// ### Giving a reader what they bought
/// - ``attach(skus:to:free:)``
public final class PurchaseRepository: AbstractRepository, @unchecked Sendable {
    /// Makes a repository.
    ///
    /// - Parameters:
    ///   - configuration: The environment: the subscriber server, not the catalogue's.
    ///   - sharedSecret: What the publisher shares with its apps; without one every call ends in
    ///     `RepositoryError.invalidConfiguration` and nothing is sent.
    ///   - session: Whose token goes with each request; every call requires it. `nil` for a server that asks for the
    ///     signature alone.
    ///   - executor: What makes the exchanges.
    public convenience init(
        configuration: NetworkingConfiguration,
        sharedSecret: Secret,
        session: (any RepositorySession)? = nil,
        executor: any RequestExecutor = LibcurlExecutor()
    ) {
        self.init(
            configuration: configuration,
            sharedSecret: sharedSecret,
            session: session,
            executor: executor,
            makeNonce: RequestSignature.makeNonce
        )
    }

    package init(
        configuration: NetworkingConfiguration,
        sharedSecret: Secret,
        session: (any RepositorySession)? = nil,
        executor: any RequestExecutor,
        makeNonce: @escaping @Sendable () throws(RepositoryError) -> String
    ) {
        var configuration = configuration
        configuration.signer = SubscriberSigner(sharedSecret: sharedSecret, makeNonce: makeNonce)
        super.init(configuration: configuration, session: session, executor: executor)
    }

    /// Asks what belongs to an e-mail address.
    ///
    /// - Parameter email: The address; it goes into the query, percent-encoded.
    /// - Returns: The SKUs in the server's order, each once; empty if nothing belongs to it.
    public func skus(forEmail email: String) async -> Result<[SKU], RepositoryError> {
        guard !email.isEmpty else { return .failure(.invalidRequest(reason: "the e-mail address is empty")) }
        let request: Request<[SKU]> = .get("api/1.5/serial/email", query: ["email": .string(email)])
        return await perform(request).map { $0.unique() }
    }

    /// Has a store's receipt verified, and asks what was bought with it.
    ///
    /// The server wants the receipt in the URL, where the server's log may show it.
    ///
    /// - Parameter receipt: The whole receipt file.
    /// - Returns: The SKUs in the receipt, in the server's order, each once.
    public func skus(verifying receipt: Data) async -> Result<[SKU], RepositoryError> {
        await send(receipt, as: [SKU].self).map { $0.unique() }
    }

    /// Has a store's receipt verified after a purchase, for which any JSON in an accepting answer will do.
    ///
    /// - Parameter receipt: The whole receipt file.
    /// - Returns: Success if the server took the receipt for good.
    public func verification(of receipt: Data) async -> Result<Void, RepositoryError> {
        await send(receipt, as: JSONValue.self).map { _ in }
    }

    /// Lets products belong to an e-mail address, so that the reader has them on other devices and on the web.
    ///
    /// - Parameters:
    ///   - skus: The products; at least one.
    ///   - email: The address.
    ///   - free: Whether to say `"free": "true"`, as the publisher's own apps always do; the server's meaning of it is
    ///     not documented.
    /// - Returns: Success if the server took it; what it answers besides is not looked at.
    public func attach(skus: [SKU], to email: String, free: Bool = true) async -> Result<Void, RepositoryError> {
        guard !email.isEmpty else { return .failure(.invalidRequest(reason: "the e-mail address is empty")) }
        guard !skus.isEmpty else { return .failure(.invalidRequest(reason: "there is no SKU to attach")) }
        var body: Parameters = ["email": .string(email), "SKUs": .array(skus.map { .string($0.rawValue) })]
        if free { body.elements.append(Parameters.Element(name: "free", value: "true")) }
        let request: Request<Void> = .post("api/1.5/serial/email", body: .json(parameters: body))
        return await perform(request)
    }

    private func send<Answer: Decodable & Sendable>(
        _ receipt: Data,
        as type: Answer.Type
    ) async -> Result<Answer, RepositoryError> {
        guard !receipt.isEmpty else { return .failure(.invalidRequest(reason: "the receipt is empty")) }
        let query: Parameters = ["receipt": .string(receipt.base64EncodedString())]
        return await perform(.post("api/1.5/serial/receipts", query: query))
    }
}
