import FoundationEssentials
import MastheadNetworking
import MastheadTransport

/// Pins of nobody's keys.
enum SomePins {
    static func text(_ byte: UInt8) -> String {
        "sha256/" + Data(repeating: byte, count: 32).base64EncodedString()
    }

    static let two = [text(1), text(2)]
    static let otherTwo = [text(3), text(4)]
}

extension NetworkingConfiguration {
    /// What is wrong with it; `nil` if nothing is.
    var invalidity: String? {
        do {
            try validate()
            return nil
        } catch {
            guard case .invalidConfiguration(let reason) = error else { return "\(error)" }
            return reason
        }
    }

    /// The pins as the transport gets them.
    var policy: PinPolicy? {
        get throws { try makeTrust().pins?.current.policy }
    }
}
