import Foundation
import MastheadNetworking

// What the README and the article about pins take for granted.
nonisolated private let apiKeys: [String] = []
nonisolated private let companyKeys: [String] = []
nonisolated private let mediaKeys: [String] = []
nonisolated private let newKeys: [String] = []
nonisolated private func log(_ text: String) {}
nonisolated private func show(_ pin: String, _ subject: String) {}

nonisolated private func pinned() -> NetworkingConfiguration {
    var configuration = NetworkingConfiguration(domainURL: "api.example.com")
    // snippet
    configuration.pinning = .publicKeys([
        "sha256/9n0izTnSRF+W4W4JTq51avSXkWhQB8duS2bxVLfzXsY=",  // the server's key
        "sha256/r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=",  // a backup's, kept offline
    ])
    // end
    return configuration
}

// snippet
extension NetworkingConfiguration {
    static let keyed = NetworkingConfiguration(domainURL: "api.example.com") {
        $0.pinning = .publicKeys([
            "sha256/9n0izTnSRF+W4W4JTq51avSXkWhQB8duS2bxVLfzXsY=",
            "sha256/r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=",
        ])
    }
}
// end

nonisolated private func serverKeys() async throws {
    // snippet
    let server = try await ServerCertificates(of: "api.example.com")
    for certificate in server.certificates { show(certificate.publicKeyPin, certificate.subject) }
    // end
}

nonisolated private func certificates() -> [NetworkingConfiguration] {
    // snippet
    let bundled = NetworkingConfiguration(domainURL: "api.example.com") { $0.usePinningCertificate = true }
    let folder = NetworkingConfiguration(domainURL: "api.example.com") {
        $0.pinning = .certificates(in: "/opt/reader/pins", comparing: .certificate)
    }
    // end
    return [bundled, folder]
}

nonisolated private func severalHosts() -> NetworkingConfiguration {
    // snippet
    let publisher = NetworkingConfiguration(domainURL: "api.example.com") {
        $0.pinning = CertificatePinning(hosts: [
            CertificatePinning.Host("api.example.com", .publicKeys(apiKeys)),
            CertificatePinning.Host("example.com", .publicKeys(companyKeys)) {
                $0.includesSubdomains = true
                $0.excludedSubdomains = ["status.example.com"]
                $0.expiry = Date(timeIntervalSince1970: 1_830_297_600)
            },
            CertificatePinning.Host("media.example.net", .publicKeys(mediaKeys)) { $0.isEnforced = false },
        ])
        $0.pinning?.allowsUnpinnedHosts = false
    }
    // end
    return publisher
}

nonisolated private func reportOnly() -> NetworkingConfiguration {
    // snippet
    let watching = NetworkingConfiguration(domainURL: "api.example.com") {
        $0.pinning = .publicKeys(apiKeys) { $0.isEnforced = false }
        $0.pinning?.onEvent = { log("\($0)") }
        $0.pinning?.reportURI = "https://reports.example.org/pins"
    }
    // end
    return watching
}

nonisolated private func changes() throws -> NetworkingConfiguration {
    // snippet
    let pins = ReplaceablePinning(.publicKeys(apiKeys))
    let configuration = NetworkingConfiguration(domainURL: "api.example.com") { $0.replaceablePinning = pins }

    try pins.replace(with: .publicKeys(newKeys))
    // end
    return configuration
}
