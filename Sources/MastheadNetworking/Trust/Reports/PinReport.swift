import FoundationEssentials
import MastheadCrypto
import MastheadTransport

/// What is posted of one mismatch: the members of RFC 7469, section 3, and a few of our own.
///
/// Host, port, certificates and pins: no path, no query, no header field and no body.
struct PinReport: Sendable {
    /// What makes two reports the same: the host, what decided and the chain, not the time.
    let key: String

    private let members: Members

    /// Makes the report of an event; `nil` for one that no pins decided.
    init?(_ event: PinEvent, at date: Date, application: String) {
        guard let pinned = event.host else { return nil }
        let failure = event.failure
        let pins = pinned.pins.map(Self.text).sorted()
        let policy = [pinned.name, "\(pinned.includesSubdomains)"] + pinned.excludedSubdomains.sorted() + pins
        let parts = ["\(failure.reason)", failure.host, "\(failure.port)", "\(event.isRefused)"] + policy + event.chain
        guard let key = Self.digest(parts), let policyID = Self.digest(policy) else { return nil }
        self.key = key
        members = Members(
            date: date.iso8601 ?? "",
            host: failure.host,
            port: failure.port,
            expiry: pinned.expiry.flatMap(\.iso8601),
            includesSubdomains: pinned.includesSubdomains,
            notedHost: pinned.name,
            served: failure.served,
            chain: event.chain,
            pins: pins,
            isEnforced: pinned.isEnforced,
            reason: "\(failure.reason)",
            policyID: String(policyID.prefix(16)),
            application: application,
            sdk: NetworkingConfiguration.userAgent
        )
    }

    /// The report as JSON.
    var body: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(members)) ?? Data()
    }

    private struct Members: Encodable, Sendable {
        let date: String
        let host: String
        let port: Int
        let expiry: String?
        let includesSubdomains: Bool
        let notedHost: String
        let served: [String]
        let chain: [String]
        let pins: [String]
        let isEnforced: Bool
        let reason: String
        let policyID: String
        let application: String
        let sdk: String

        enum CodingKeys: String, CodingKey {
            case date = "date-time"
            case host = "hostname"
            case port
            case expiry = "effective-expiration-date"
            case includesSubdomains = "include-subdomains"
            case notedHost = "noted-hostname"
            case served = "served-certificate-pins"
            case chain = "validated-certificate-chain"
            case pins = "known-pins"
            case isEnforced = "enforce-pinning"
            case reason
            case policyID = "policy-id"
            case application
            case sdk = "sdk-version"
        }
    }

    private static func text(_ pin: Pin) -> String {
        let digest = Data(pin.digest).base64EncodedString()
        return switch pin {
        case .publicKey: "pin-sha256=\"\(digest)\""
        case .certificate: "certificate-sha256=\"\(digest)\""
        }
    }

    /// The digest of texts, none of which can be taken for the end of another.
    private static func digest(_ texts: [String]) -> String? {
        let bytes = texts.flatMap { Array("\($0.utf8.count):".utf8) + Array($0.utf8) }
        return try? Digest.sha256(bytes).hexadecimal
    }
}
