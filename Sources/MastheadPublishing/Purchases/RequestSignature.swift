package import FoundationEssentials
import MastheadCrypto
package import MastheadNetworking

/// The subscriber server's signature of one request.
///
/// Lower-case hexadecimal MD5 of nonce, secret, a slash, what follows the host's first slash as sent, and the body.
package struct RequestSignature: Sendable, Hashable {
    /// The signature as it stands in `X-Serial-MD5`.
    package let value: String

    /// Signs.
    ///
    /// - Parameters:
    ///   - nonce: The nonce as it stands in `X-Serial-Nonce`.
    ///   - secret: What the publisher shares with its apps.
    ///   - pathAndQuery: What follows the host's first slash, percent-encoded, as it is sent.
    ///   - body: The bytes of the body as they are sent.
    /// - Throws: `RepositoryError.invalidConfiguration` on a system that forbids MD5.
    package init(nonce: String, secret: Secret, pathAndQuery: String, body: Data = Data()) throws(RepositoryError) {
        var message = Data("\(nonce)\(secret.value)/\(pathAndQuery)".utf8)
        message.append(body)
        do throws(CryptoError) {
            value = try Digest(.md5, of: message).hexadecimal
        } catch {
            throw .invalidConfiguration(reason: "the subscriber server wants MD5, which this system refuses: \(error)")
        }
    }

    /// Signs a request that will be sent as it is.
    package init(nonce: String, secret: Secret, of request: HTTPRequest) throws(RepositoryError) {
        guard let bytes = request.body.map({ $0.data }) ?? Data() else {
            throw .invalidRequest(reason: "a request whose body is not in memory cannot be signed")
        }
        try self.init(
            nonce: nonce,
            secret: secret,
            pathAndQuery: Self.pathAndQuery(of: request.url),
            body: bytes
        )
    }

    /// 32 random bytes in Base64 (RFC 4648, section 4): 44 characters.
    package static func makeNonce() throws(RepositoryError) -> String {
        do throws(CryptoError) {
            return Data(try SecureRandom.bytes(count: 32)).base64EncodedString()
        } catch {
            throw .invalidRequest(reason: "there is no randomness for a nonce: \(error)")
        }
    }

    private static func pathAndQuery(of url: URL) -> String {
        let text = url.absoluteString
        guard let authority = text.firstRange(of: "://")?.upperBound,
            let slash = text[authority...].firstIndex(of: "/")
        else {
            return ""
        }
        return String(text[text.index(after: slash)...].prefix { $0 != "#" })
    }
}
