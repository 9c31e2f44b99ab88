/// One property of a configuration that a file or an environment variable may set.
struct ConfigurationSetting: Sendable {
    typealias Apply = @Sendable (ConfigurationValue, inout NetworkingConfiguration) -> Void?

    /// The key in a file: the property's own name.
    let key: String

    /// The environment variable's name, without its prefix.
    let variable: String

    /// What it must be, for the error.
    let expectation: String

    /// Sets the property; `nil` if the value is not of its kind.
    let apply: Apply

    init(_ key: String, _ variable: String, expects expectation: String, _ apply: @escaping Apply) {
        self.key = key
        self.variable = variable
        self.expectation = expectation
        self.apply = apply
    }

    /// Every one of them.
    static let all: [ConfigurationSetting] =
        hostSettings + trustSettings + routeSettings + timeSettings + limitSettings + fieldSettings

    private static let hostSettings = [
        ConfigurationSetting("domainURL", "DOMAIN_URL", expects: "a host's name or address") { value, configuration in
            value.text.map { configuration.domainURL = $0 }
        },
        ConfigurationSetting("port", "PORT", expects: "a number from 1 to 65535") { value, configuration in
            value.orNull(\.port).map { configuration.port = $0 }
        },
        ConfigurationSetting("subdomainURL", "SUBDOMAIN_URL", expects: "a path such as /v2") { value, configuration in
            value.orNull(\.text).map { configuration.subdomainURL = $0 }
        },
        ConfigurationSetting("useSecureConnection", "USE_SECURE_CONNECTION", expects: "true or false") {
            value,
            configuration in
            value.flag.map { configuration.useSecureConnection = $0 }
        },
        ConfigurationSetting("coalescesIdenticalRequests", "COALESCES_IDENTICAL_REQUESTS", expects: "true or false") {
            value,
            configuration in
            value.flag.map { configuration.coalescesIdenticalRequests = $0 }
        },
        ConfigurationSetting("retry", "RETRY", expects: "never or standard") { value, configuration in
            ["never": RetryPolicy.never, "standard": .standard][value.text ?? ""].map { configuration.retry = $0 }
        },
    ]

    private static let trustSettings = [
        ConfigurationSetting("certificateAuthorityFile", "CERTIFICATE_AUTHORITY_FILE", expects: "a file's path") {
            value,
            configuration in
            value.orNull(\.path).map { configuration.certificateAuthorityFile = $0 }
        },
        ConfigurationSetting(
            "tls",
            "TLS",
            expects: "an object with minimumVersion (1.2 or 1.3), stapledStatus (ignored, checked or required) and "
                + "clientIdentity (certificateFile and keyFile, or pkcs12File, and passphrase)"
        ) { value, configuration in
            value.object.flatMap { configuration.tls.read($0, folder: value.folder) ? () : nil }
        },
        ConfigurationSetting(
            "pinning",
            "PINNING",
            expects: "an object with publicKeys, certificates or appCertificates, or with hosts of such objects, "
                + "and the names of CertificatePinning's properties alone"
        ) { value, configuration in
            if value.json.isNull {
                configuration.pinning = nil
                return ()
            }
            return value.object.flatMap { CertificatePinning($0, folder: value.folder) }.map { pinning in
                let before = configuration.pinning
                configuration.pinning = pinning
                // What code alone can say, and what it says if the file does not.
                configuration.pinning?.onEvent = before?.onEvent
                if pinning.reportURI == nil { configuration.pinning?.reportURI = before?.reportURI }
                if pinning.stateFolder == nil { configuration.pinning?.stateFolder = before?.stateFolder }
            }
        },
        ConfigurationSetting("usePinningCertificate", "USE_PINNING_CERTIFICATE", expects: "true or false") {
            value,
            configuration in
            value.flag.map { configuration.usePinningCertificate = $0 }
        },
    ]

    private static let routeSettings = [
        ConfigurationSetting("proxy", "PROXY", expects: "a proxy's URL such as http://proxy.example.com:3128") {
            value,
            configuration in
            value.orNull { $0.text.flatMap { try? ProxyServer($0) } }.map { proxy in
                let exceptions = configuration.route.proxy?.exceptions ?? []
                configuration.route.proxy = proxy
                configuration.route.proxy?.exceptions = exceptions
            }
        },
        ConfigurationSetting("proxyExceptions", "PROXY_EXCEPTIONS", expects: "a list of hosts, beside a proxy") {
            value,
            configuration in
            guard configuration.route.proxy != nil else { return nil }
            return value.list.map { configuration.route.proxy?.exceptions = $0 }
        },
        ConfigurationSetting("addresses", "ADDRESSES", expects: "an object of addresses") { value, configuration in
            value.texts.map { configuration.route.addresses.merge($0) { $1 } }
        },
        ConfigurationSetting("unixSocket", "UNIX_SOCKET", expects: "a socket's path") { value, configuration in
            value.orNull(\.path).map { configuration.route.unixSocket = $0 }
        },
        ConfigurationSetting("localAddress", "LOCAL_ADDRESS", expects: "an address or an interface") {
            value,
            configuration in
            value.orNull(\.text).map { configuration.route.localAddress = $0 }
        },
        ConfigurationSetting("addressFamily", "ADDRESS_FAMILY", expects: "any, ipv4 or ipv6") { value, configuration in
            value.text.flatMap(NetworkRoute.AddressFamily.init).map { configuration.route.addressFamily = $0 }
        },
    ]

    private static let timeSettings = [
        ConfigurationSetting("timeout", "TIMEOUT", expects: "a number of seconds") { value, configuration in
            value.seconds.map { configuration.timeout = $0 }
        },
        ConfigurationSetting("connectionTimeout", "CONNECTION_TIMEOUT", expects: "a number of seconds") {
            value,
            configuration in
            value.seconds.map { configuration.connectionTimeout = $0 }
        },
        ConfigurationSetting("queueTimeout", "QUEUE_TIMEOUT", expects: "a number of seconds") { value, configuration in
            value.orNull(\.seconds).map { configuration.queueTimeout = $0 }
        },
        ConfigurationSetting("totalTimeout", "TOTAL_TIMEOUT", expects: "a number of seconds") { value, configuration in
            value.orNull(\.seconds).map { configuration.totalTimeout = $0 }
        },
        ConfigurationSetting("secondsBetweenPolls", "SECONDS_BETWEEN_POLLS", expects: "a number of seconds") {
            value,
            configuration in
            value.seconds.map { configuration.secondsBetweenPolls = $0 }
        },
    ]

    private static let limitSettings = [
        ConfigurationSetting("maximumPollingRetries", "MAXIMUM_POLLING_RETRIES", expects: "a whole number") {
            value,
            configuration in
            value.whole.map { configuration.maximumPollingRetries = $0 }
        },
        ConfigurationSetting("maximumRedirects", "MAXIMUM_REDIRECTS", expects: "a whole number") {
            value,
            configuration in
            value.whole.map { configuration.maximumRedirects = $0 }
        },
        ConfigurationSetting("allowsInsecureRedirects", "ALLOWS_INSECURE_REDIRECTS", expects: "true or false") {
            value,
            configuration in
            value.flag.map { configuration.allowsInsecureRedirects = $0 }
        },
        ConfigurationSetting("maximumBodySize", "MAXIMUM_BODY_SIZE", expects: "a whole number of bytes") {
            value,
            configuration in
            value.whole.map { configuration.maximumBodySize = $0 }
        },
        ConfigurationSetting("maximumConnectionsPerHost", "MAXIMUM_CONNECTIONS_PER_HOST", expects: "a whole number") {
            value,
            configuration in
            value.whole.map { configuration.maximumConnectionsPerHost = $0 }
        },
        ConfigurationSetting("maximumStreamsPerHost", "MAXIMUM_STREAMS_PER_HOST", expects: "a whole number") {
            value,
            configuration in
            value.whole.map { configuration.maximumStreamsPerHost = $0 }
        },
    ]

    private static let fieldSettings = [
        ConfigurationSetting("encodeAsURL", "ENCODE_AS_URL", expects: "a list of methods") { value, configuration in
            value.list.map { configuration.encodeAsURL = Set($0.map { HTTPMethod($0) }) }
        },
        ConfigurationSetting("defaultHeaders", "DEFAULT_HEADERS", expects: "an object of texts") {
            value,
            configuration in
            value.headers.map { headers in
                for field in headers.fields { configuration.defaultHeaders[field.name] = field.value }
            }
        },
        ConfigurationSetting("secretHeaders", "SECRET_HEADERS", expects: "a list of header fields' names") {
            value,
            configuration in
            value.list.map { configuration.secretHeaders.formUnion($0.map { $0.lowercased() }) }
        },
        ConfigurationSetting("authorization", "AUTHORIZATION", expects: "bearer, bareToken or clientKey") {
            value,
            configuration in
            let schemes: [String: AuthorizationScheme] = [
                "bearer": .bearer, "bareToken": .bareToken, "clientKey": .clientKey(),
            ]
            return schemes[value.text ?? ""].map { configuration.authorization = $0 }
        },
        ConfigurationSetting("clientKey", "CLIENT_KEY", expects: "text") { value, configuration in
            value.orNull(\.text).map { configuration.clientKey = $0.map { Secret($0) } }
        },
    ]
}
