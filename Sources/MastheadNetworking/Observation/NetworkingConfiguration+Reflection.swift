extension NetworkingConfiguration: CustomStringConvertible, CustomReflectable {
    /// The base of its URLs.
    public var description: String {
        let scheme = useSecureConnection ? "https" : "http"
        return "\(scheme)://\(domainURL)\(port.map { ":\($0)" } ?? "")\(Redaction.standard.path(subdomainURL ?? ""))"
    }

    /// What a dump or a debugger shows: what an interceptor of the app's holds is not among it, and no header's value.
    public var customMirror: Mirror {
        let limits: [(label: String?, value: Any)] = [
            ("timeout", timeout),
            ("connectionTimeout", connectionTimeout),
            ("queueTimeout", queueTimeout as Any),
            ("totalTimeout", totalTimeout as Any),
            ("secondsBetweenPolls", secondsBetweenPolls),
            ("maximumPollingRetries", maximumPollingRetries),
            ("retry", retry),
            ("circuitBreaker", circuitBreaker.map { type(of: $0) } as Any),
            ("coalescesIdenticalRequests", coalescesIdenticalRequests),
            ("maximumRedirects", maximumRedirects),
            ("allowsInsecureRedirects", allowsInsecureRedirects),
            ("maximumBodySize", maximumBodySize),
            ("maximumConnectionsPerHost", maximumConnectionsPerHost),
            ("maximumStreamsPerHost", maximumStreamsPerHost),
        ]
        let parts: [(label: String?, value: Any)] = [
            ("encodeAsURL", encodeAsURL.map(\.rawValue).sorted()),
            ("defaultHeaders", defaultHeaders),
            ("secretHeaders", secretHeaders.sorted()),
            ("clientKey", clientKey as Any),
            ("authorization", authorization),
            ("interceptor", interceptor.map { type(of: $0) } as Any),
            ("signer", signer.map { type(of: $0) } as Any),
            ("logger", logger.map(\.level) as Any),
            ("observer", observer.map { type(of: $0) } as Any),
            ("tracing", tracing.map(\.isSampled) as Any),
            ("route", route),
            ("certificateAuthorityFile", certificateAuthorityFile as Any),
            ("tls", tls),
            ("pinning", pinning?.hosts as Any),
            ("usePinningCertificate", usePinningCertificate),
            ("replaceablePinning", replaceablePinning?.current.hosts as Any),
            ("time", type(of: time)),
        ]
        return Mirror(self, children: [("base", description)] + limits + parts, displayStyle: .struct)
    }
}
