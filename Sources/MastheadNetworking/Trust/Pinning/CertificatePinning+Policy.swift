import FoundationEssentials
import MastheadCrypto
import MastheadTransport

/// What pins without a host and without files of their own are of.
struct PinningTarget: Sendable, Hashable {
    /// The configuration's own host, as it stands in a URL.
    let host: String

    /// Where the app's certificates are.
    let resources: AppResources
}

extension CertificatePinning {
    /// The pins as the transport takes them; reading certificates blocks.
    ///
    /// - Throws: ``RepositoryError/invalidConfiguration(reason:)`` with what is wrong with them.
    func policy(for target: PinningTarget) throws(RepositoryError) -> PinPolicy {
        guard !hosts.isEmpty else { throw Self.invalid("there is no host: pins of none pin nothing") }
        var pinned: [PinnedHost] = []
        for host in hosts {
            let made = try pinnedHost(host, target)
            guard !pinned.contains(where: { $0.name == made.name }) else {
                throw Self.invalid("\(made.name) is there twice: give all its pins at once")
            }
            pinned.append(made)
        }
        _ = try reportTarget()
        return PinPolicy(hosts: pinned, allowsUnpinnedHosts: allowsUnpinnedHosts)
    }

    private func pinnedHost(_ host: Host, _ target: PinningTarget) throws(RepositoryError) -> PinnedHost {
        let text = host.name ?? target.host
        let name = try Self.normalised(text)
        if host.includesSubdomains {
            guard !HostName.isAddress(name) else { throw Self.invalid("\(name) is an address: it has no subdomains") }
            guard name.contains(".") else {
                throw Self.invalid("\(name) has one label: its subdomains may be anybody's")
            }
        }
        for exclusion in host.excludedSubdomains {
            guard try Self.normalised(exclusion).hasSuffix("." + name), host.includesSubdomains else {
                throw Self.invalid("\(exclusion) is excluded from \(name), which does not include it")
            }
        }
        let pins = try pins(of: host, name, target)
        guard pins.count > 1 || allowsSinglePin || !host.isEnforced else {
            throw Self.invalid("\(name) has one pin alone: add that of a backup key, or set allowsSinglePin")
        }
        do throws(TransportError) {
            return try PinnedHost(
                name,
                includesSubdomains: host.includesSubdomains,
                excludedSubdomains: host.excludedSubdomains,
                pins: pins,
                expiry: host.expiry,
                failsWhenExpired: host.failsWhenExpired,
                isEnforced: host.isEnforced
            )
        } catch {
            throw Self.invalid("\(text.prefix(253)) is no host's name or address")
        }
    }

    private func pins(of host: Host, _ name: String, _ target: PinningTarget) throws(RepositoryError) -> Set<Pin> {
        switch host.pins {
        case .publicKeys(let texts): return try Self.pins(texts, of: name)
        case .certificates(let folder, let subject):
            return try Self.pins(CertificateFolder(folder).certificates(), comparing: subject)
        case .appCertificates(let subject):
            var pins: Set<Pin> = []
            for folder in try target.resources.certificateFolders() {
                pins.formUnion(try Self.pins(folder.certificates(), comparing: subject))
            }
            return pins
        }
    }

    private static func pins(_ texts: [String], of name: String) throws(RepositoryError) -> Set<Pin> {
        guard !texts.isEmpty else { throw invalid("\(name) has no pins") }
        var pins: Set<Pin> = []
        for (index, text) in texts.enumerated() {
            let pin: Pin
            do throws(Pin.Problem) {
                pin = try Pin(text: text)
            } catch {
                throw invalid("pin \(index + 1) of \(name) \(error.text)")
            }
            guard pins.insert(pin).inserted else {
                throw invalid("pin \(index + 1) of \(name) is there twice")
            }
        }
        return pins
    }

    /// Certificates of one key are one pin; a folder may well hold a renewed one beside the old.
    private static func pins(
        _ certificates: [Certificate],
        comparing subject: Subject
    ) throws(RepositoryError) -> Set<Pin> {
        do throws(CryptoError) {
            var pins: Set<Pin> = []
            for certificate in certificates {
                switch subject {
                case .publicKey: pins.insert(.publicKey(try certificate.publicKeyDigest()))
                case .certificate: pins.insert(.certificate(try certificate.digest()))
                }
            }
            return pins
        } catch {
            throw invalid("a certificate's digest: \(error)")
        }
    }

    private static func normalised(_ text: String) throws(RepositoryError) -> String {
        guard let name = HostName.normalised(text) else {
            throw invalid("\"\(text.prefix(253))\" is no host's name or address: give it without scheme, port and path")
        }
        return name
    }

    /// Where reports go; `nil` for nowhere.
    func reportTarget() throws(RepositoryError) -> URL? {
        guard let reportURI else { return nil }
        let reference = URLReference(reportURI)
        let isPlain = !reportURI.utf8.contains { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") || $0 <= 0x20 }
        do throws(RepositoryError) {
            guard try Origin(reference).isSecure, isPlain, let url = URL(string: reportURI) else {
                throw RepositoryError.invalidURL(reason: "it is no https URL without query and fragment")
            }
            return url
        } catch {
            let reason = if case .invalidURL(let reason) = error { reason } else { "\(error)" }
            throw Self.invalid("reportURI: \(reason)")
        }
    }

    private static func invalid(_ reason: String) -> RepositoryError {
        .invalidConfiguration(reason: "pinning: \(reason)")
    }
}
