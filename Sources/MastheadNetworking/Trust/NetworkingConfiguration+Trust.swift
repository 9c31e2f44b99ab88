import FoundationEssentials
package import MastheadTransport

extension NetworkingConfiguration {
    /// Whom the requests trust, made of the properties; reading certificates and keys blocks.
    ///
    /// - Throws: ``RepositoryError/invalidConfiguration(reason:)`` with what is wrong with them.
    package func makeTrust() throws(RepositoryError) -> TrustPolicy {
        var policy = TrustPolicy(certificateAuthorityFile: certificateAuthorityFile)
        policy.tls = try MastheadTransport.TLSSettings(tls)
        guard !tls.dangerouslyTrustsAnyCertificateOnPrivateNetworks || tls.clientIdentity == nil else {
            throw .invalidConfiguration(
                reason: "tls.clientIdentity excludes dangerouslyTrustsAnyCertificateOnPrivateNetworks"
            )
        }
        guard let pinning = try effectivePinning else { return policy }
        guard useSecureConnection else {
            throw .invalidConfiguration(
                reason: "pinning needs useSecureConnection: over http there are no certificates"
            )
        }
        guard !tls.dangerouslyTrustsAnyCertificateOnPrivateNetworks else {
            throw .invalidConfiguration(reason: "pinning excludes dangerouslyTrustsAnyCertificateOnPrivateNetworks")
        }
        let target = PinningTarget(host: try BaseURL(self).host, resources: appResources)
        if let replaceablePinning {
            policy.pins = .store(try replaceablePinning.store(for: target))
        } else {
            policy.pins = .fixed(try pinning.policy(for: target))
        }
        policy.pinReporter = try pinning.reporting.reporter(
            of: pinning,
            in: self,
            mayExpire: replaceablePinning != nil || pinning.hosts.contains { $0.expiry != nil }
        )
        return policy
    }

    /// Whether certificates, keys or a state on disk are read to find out whom to trust.
    fileprivate var trustReadsFiles: Bool {
        tls.clientIdentity != nil || usePinningCertificate || pinning != nil || replaceablePinning != nil
    }

    /// The pins that count, whichever property says so.
    private var effectivePinning: CertificatePinning? {
        get throws(RepositoryError) {
            let given = [usePinningCertificate, pinning != nil, replaceablePinning != nil].filter { $0 }
            guard given.count < 2 else {
                throw .invalidConfiguration(
                    reason: "set one of pinning, usePinningCertificate and replaceablePinning, not several"
                )
            }
            return replaceablePinning?.current ?? pinning ?? (usePinningCertificate ? .ofApp : nil)
        }
    }

    /// What is worth a line in the log of each repository, though nothing is wrong.
    func trustWarnings() -> [String] {
        var warnings: [String] = []
        if tls.dangerouslyTrustsAnyCertificateOnPrivateNetworks {
            warnings.append(
                "TLS: NO CERTIFICATE IS CHECKED on private networks, anybody on the way can read everything"
            )
        }
        for host in (try? effectivePinning)?.hosts ?? [] {
            guard let expiry = host.expiry else { continue }
            let days = Int((expiry.timeIntervalSince(time.date) / 86_400).rounded(.down))
            let name = host.name ?? domainURL
            if days < 0 {
                warnings.append("pinning: the pins of \(name) have expired")
            } else if days < 30 {
                warnings.append("pinning: the pins of \(name) expire in \(days) days")
            }
        }
        return warnings
    }
}

extension CertificatePinning {
    /// What `usePinningCertificate` stands for: one object, so that all such configurations share connections.
    fileprivate static let ofApp = CertificatePinning.appCertificates()
}

extension Transport {
    /// What makes the exchanges of a configuration, if a repository has made it; else the same is made with `make`.
    static func known(
        _ configuration: NetworkingConfiguration,
        to url: URL
    ) throws(RepositoryError) -> Transport? {
        guard let wire = configuration.wire, let transport = wire.transport else { return nil }
        if wire.hasPins { try configuration.trust?.pins?.checkPlain(url) }
        return transport
    }

    /// What makes the exchanges of a configuration.
    ///
    /// - Throws: ``RepositoryError/invalidConfiguration(reason:)``, and ``RepositoryError/tls(reason:)`` for a request to a
    ///   pinned host that would be sent without TLS, as a redirect may ask for.
    static func make(
        _ configuration: NetworkingConfiguration,
        to url: URL
    ) async throws(RepositoryError) -> Transport {
        if let known = try known(configuration, to: url) { return known }
        let trust: TrustPolicy
        if let known = configuration.trust {
            trust = known
        } else if !configuration.trustReadsFiles {
            // Not from a repository, which would have made it.
            trust = try configuration.makeTrust()
        } else {
            trust = try await OwnThread.run { Result { () throws(RepositoryError) in try configuration.makeTrust() } }
                .get()
        }
        try trust.pins?.checkPlain(url)
        return Transport(policy: trust, route: try TransportRoute(configuration.route, to: url))
    }
}

extension PinSource {
    /// Makes sure that a host which is known by its key is not asked where there is none.
    fileprivate func checkPlain(_ url: URL) throws(RepositoryError) {
        if url.scheme?.lowercased() != "https" { try current.policy.checkPlain(url) }
    }
}

extension PinPolicy {
    /// Makes sure that a host which is known by its key is not asked where there is none.
    fileprivate func checkPlain(_ url: URL) throws(RepositoryError) {
        let name = url.host() ?? ""
        guard let host = host(for: name) else {
            guard allowsUnpinnedHosts else {
                throw .tls(reason: "\(name) is not pinned, and over http nothing could be")
            }
            return
        }
        if host.isEnforced { throw .tls(reason: "\(name) is pinned, so nothing is sent to it over http") }
    }
}
