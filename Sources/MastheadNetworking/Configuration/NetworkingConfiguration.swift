import MastheadTransport

/// Where a repository's server is, and how it is spoken to: one value for each environment.
///
/// ```swift
/// extension NetworkingConfiguration {
///     static let production = NetworkingConfiguration(domainURL: "api.example.com", subdomainURL: "/v2") {
///         $0.timeout = .seconds(20)
///         $0.onDecodingFailure = { report($0.model, $0.codingPath, $0.snippet) }
///     }
///     static let staging = NetworkingConfiguration(domainURL: "127.0.0.1", port: 8080) { $0.useSecureConnection = false }
/// }
/// ```
///
/// Making one never fails, so it can stand in a `static let`; ``validate()`` says what is wrong with it, and every call
/// of an impossible one ends in ``RepositoryError/invalidConfiguration(reason:)`` without a byte sent.
public struct NetworkingConfiguration: Sendable {
    /// Whether to speak `https`; `true` by default.
    public var useSecureConnection: Bool = true { didSet { trust = nil } }

    /// The host's name or address, without scheme or path.
    ///
    /// An IPv6 address may have its brackets or not, and has no zone; a name beyond ASCII may be written as it is, and is
    /// sent in its `xn--` form (UTS 46). While ``port`` is `nil`, a port may stand behind it: `127.0.0.1:8080`,
    /// `[::1]:8080`.
    public var domainURL: String { didSet { trust = nil } }

    /// The port; `nil` takes the scheme's own.
    public var port: Int?

    /// The path before every request's path, such as `/v2`; `nil` for none.
    ///
    /// Plain text, with or without slashes around it; it is percent-encoded once.
    public var subdomainURL: String?

    /// How long nothing may move, in either direction, before a call fails; 75 seconds by default.
    public var timeout: Duration = .seconds(75)

    /// How long making a connection may take; 15 seconds by default.
    public var connectionTimeout: Duration = .seconds(15)

    /// How long a request may wait for a place when ``maximumConnectionsPerHost`` are taken; `nil`, the default, sets no
    /// limit of its own.
    public var queueTimeout: Duration?

    /// How long a whole call may take, redirects and polls included; `nil`, the default, sets no limit.
    public var totalTimeout: Duration?

    /// How long to wait before asking again after a 202 without `Retry-After`; 1 second by default.
    public var secondsBetweenPolls: Duration = .seconds(1)

    /// How often to ask again after the first 202; 3 by default, so at most four requests.
    public var maximumPollingRetries: Int = 3

    /// Whether and when a request that failed is sent again; ``RetryPolicy/never`` by default.
    public var retry: RetryPolicy = .never

    /// How many retries each host may get; `nil` sets no limit but the policy's.
    ///
    /// A configuration is made with a budget of its own, which its copies share.
    public var retryBudget: RetryBudget? = RetryBudget()

    /// Stops asking an origin that does not answer; `nil`, the default, always asks.
    public var circuitBreaker: CircuitBreaker?

    /// Whether calls of one repository that ask the same at the same time share one exchange; `false` by default.
    ///
    /// The same are two GETs, or two HEADs, without a body, with one URL and the same header fields in the same order,
    /// the authorization among them: as the interceptor left them, so that a field which is new for each request keeps
    /// them apart. Each call still has its own deadline, may be cancelled alone, and decodes for itself; the exchange is
    /// given up with the last of them. A call does not join an exchange of a lower priority than its own.
    public var coalescesIdenticalRequests: Bool = false

    /// How many redirects to follow; 10 by default, 0 follows none.
    public var maximumRedirects: Int = 10

    /// Whether a redirect may lead from `https` to `http`; `false` by default: such a one is an error.
    ///
    /// The secret header fields stay behind even if it may. See <doc:FollowingRedirects>.
    public var allowsInsecureRedirects: Bool = false

    /// Decides about each redirect before it is followed; `nil`, the default, follows all that may be.
    ///
    /// It is asked after everything else has been: a redirect that is one too many, that leads to no server or without
    /// leave to `http`, is an error before. Called from any task, once for each redirect.
    public var onRedirect: (@Sendable (Redirect) -> RedirectDecision)?

    /// The methods whose ``Request/parameters`` go into the URL; GET, HEAD and DELETE by default.
    public var encodeAsURL: Set<HTTPMethod> = [.get, .head, .delete]

    /// The biggest body that is accepted, in bytes, before and after its coding is undone; 64 MiB by default.
    public var maximumBodySize: Int = 64 << 20

    /// How many requests may be under way to one host over HTTP/1.1; 6 by default.
    ///
    /// Over HTTP/2 it is ``maximumStreamsPerHost``.
    public var maximumConnectionsPerHost: Int = 6

    /// How many requests may be under way to one host over HTTP/2, on one connection; 100 by default.
    ///
    /// More than the server allows only opens further connections.
    public var maximumStreamsPerHost: Int = 100

    /// Header fields of every call; those of a repository and of the call win over them.
    public var defaultHeaders: HTTPHeaders = [:]

    /// The names of header fields that never leave the first origin and never reach a log.
    public var secretHeaders: Set<String> = [
        "authorization", "cookie", "set-cookie", "proxy-authorization", "x-api-key", "x-preview-app", "x-serial-nonce",
        "x-serial-md5", "signature",
    ]

    /// The publisher's client key; sent by the catalogue's repositories, and to this configuration's host only.
    public var clientKey: Secret?

    /// How a session's token is sent; ``AuthorizationScheme/bearer`` by default.
    ///
    /// See <doc:KeepingASession>.
    public var authorization: AuthorizationScheme = .bearer

    /// Sees and may change every exchange.
    public var interceptor: (any RequestInterceptor)?

    /// Signs every attempt to this configuration's own origin; `nil`, the default, signs nothing.
    ///
    /// See <doc:SigningRequests>.
    public var signer: (any RequestSigner)?

    /// Writes what happens, without secrets; `nil`, the default, writes nothing.
    public var logger: RequestLogger?

    /// Sees what every call does, for metrics and traces; `nil`, the default, sees nothing.
    public var observer: (any NetworkObserver)?

    /// Sends a `traceparent` field with every attempt; `nil`, the default, sends none but what a call sets itself.
    public var tracing: Tracing?

    /// Counts the calls under way, for an indicator; `nil`, the default, counts none.
    public var activity: NetworkActivity?

    /// How JSON is written: its dates, its names.
    public var decoding = DecodingOptions()

    /// What makes values of JSON; ``MastheadDecoder`` by default.
    ///
    /// See <doc:Decoding>.
    public var decoder: any ResponseDecoder = .masthead

    /// Called once for each body that did not become the model that was wanted of it: wrong in shape, no JSON, empty,
    /// cut, damaged or too big.
    public var onDecodingFailure: (@Sendable (DecodingFailure) -> Void)?

    /// The way to the server; ``NetworkRoute/direct`` by default, whatever proxy the environment names.
    public var route: NetworkRoute = .direct { didSet { trust = nil } }

    /// The path of a PEM file with the certificate authorities to trust instead of the system's; `nil` for those.
    public var certificateAuthorityFile: String? { didSet { trust = nil } }

    /// How TLS is spoken: its versions, a client's certificate, revocation.
    public var tls = TLSSettings() { didSet { trust = nil } }

    /// The keys that servers must have; `nil`, the default, takes the authorities' word.
    ///
    /// See <doc:Pinning>.
    public var pinning: CertificatePinning? { didSet { trust = nil } }

    /// Whether this host must have the key of a certificate among the app's resources; `false` by default.
    ///
    /// The same as ``pinning`` with ``CertificatePinning/appCertificates(comparing:_:)``. If no certificate is found there, the
    /// configuration is not valid. See <doc:Pinning> for where they are looked for.
    public var usePinningCertificate: Bool = false { didSet { trust = nil } }

    /// Pins that the app changes while it runs, instead of ``pinning``; `nil`, the default, for none.
    public var replaceablePinning: ReplaceablePinning? { didSet { trust = nil } }

    /// Where the app's certificates are; tests give their own.
    package var appResources = AppResources.ofThisProcess { didSet { trust = nil } }

    /// Whom to trust, as a repository made it of the properties once; `nil` if none did, or if one of them was set since.
    var trust: TrustPolicy? { didSet { wire = nil } }

    /// What the exchanges of such a repository need; `nil` without ``trust``.
    var wire: Wire?

    /// Where time comes from.
    public var time: any TimeSource = SystemTime() { didSet { trust = nil } }

    /// Where chance comes from; tests give their own.
    package var randomBits: @Sendable () -> UInt64 = { .random(in: .min ... .max) }

    /// Makes a configuration for a host.
    ///
    /// - Parameters:
    ///   - domainURL: The host's name or address.
    ///   - port: The port; `nil` takes the scheme's own.
    ///   - subdomainURL: The path before every request's path.
    ///   - configure: Sets everything else.
    public init(
        domainURL: String,
        port: Int? = nil,
        subdomainURL: String? = nil,
        _ configure: (inout NetworkingConfiguration) -> Void = { _ in }
    ) {
        self.domainURL = domainURL
        self.port = port
        self.subdomainURL = subdomainURL
        configure(&self)
    }
}
