public import FoundationEssentials
import MastheadCrypto

/// Signs requests with HMAC-SHA256 as RFC 9421 (HTTP Message Signatures) has it: over the body's digest, a time and a nonce.
///
/// ```swift
/// let configuration = NetworkingConfiguration(domainURL: "api.example.com") {
///     $0.signer = HMACSHA256Signer(keyID: "reader-1", key: key)
/// }
/// ```
///
/// Each request gets three fields:
///
/// ```
/// Content-Digest: sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:
/// Signature-Input: sig=("@method" "@authority" "@path" "@query" "content-digest");created=1618884473;
///     keyid="reader-1";alg="hmac-sha256";nonce="b3k2pp5k7z-50gnwp.yemd"
/// Signature: sig=:pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=:
/// ```
///
/// `Signature` is the HMAC-SHA256 of the signature base (section 2.5): a line for each component and one for the parameters,
/// with a line feed between them and none at the end. `Content-Digest` (RFC 9530) is the SHA-256 of the body as it is sent,
/// of no bytes if there is none. A server that computes the same, takes a `created` of a few minutes at most and each nonce
/// once, knows that the request is new, and that nobody changed what its components name; the scheme and every other field are
/// not signed.
///
/// Who has the key can sign: one that ships in an app is known to all who have the app. See <doc:SigningRequests>.
public struct HMACSHA256Signer: RequestSigner {
    /// How the text of a key stands for its bytes.
    public enum KeyEncoding: Sendable, Hashable {
        /// The bytes are the text in UTF-8.
        case text
        /// The text is the bytes in Base64 (RFC 4648, section 4).
        case base64
    }

    /// What to do with a body that is not in memory: a file, a form of files or a stream; unless the request has a
    /// `Content-Digest` of its own, which is signed then.
    public enum UnreadBody: Sendable, Hashable {
        /// The request is not sent: ``RepositoryError/invalidRequest(reason:)``.
        case refused
        /// It is sent without `Content-Digest`, and its signature does not name that component.
        case unsigned
    }

    /// Names the key to the server; it is sent in the clear.
    public let keyID: String

    private let key: Secret
    private let encoding: KeyEncoding
    private let coveredFields: [String]
    private let unreadBody: UnreadBody
    private let makeNonce: @Sendable () throws(RepositoryError) -> String

    /// Makes a signer.
    ///
    /// - Parameters:
    ///   - keyID: Names the key to the server: printable ASCII.
    ///   - key: What is shared with the server; best 32 random bytes or more. Without one every call ends in
    ///     ``RepositoryError/invalidConfiguration(reason:)`` and nothing is sent.
    ///   - encoding: How `key` stands for its bytes.
    ///   - coveredFields: Names of header fields to sign too, such as `Content-Type`; one that a request does not have is
    ///     left out.
    ///   - unreadBody: What to do with a body that is not in memory.
    public init(
        keyID: String,
        key: Secret,
        encoding: KeyEncoding = .text,
        coveredFields: [String] = [],
        unreadBody: UnreadBody = .refused
    ) {
        self.init(keyID: keyID, key: key, encoding: encoding, coveredFields: coveredFields, unreadBody: unreadBody) {
            () throws(RepositoryError) in
            do throws(CryptoError) {
                return Data(try SecureRandom.bytes(count: 18)).base64EncodedString()
            } catch {
                throw .invalidRequest(reason: "there is no randomness for a nonce: \(error)")
            }
        }
    }

    package init(
        keyID: String,
        key: Secret,
        encoding: KeyEncoding = .text,
        coveredFields: [String] = [],
        unreadBody: UnreadBody = .refused,
        makeNonce: @escaping @Sendable () throws(RepositoryError) -> String
    ) {
        self.keyID = keyID
        self.key = key
        self.encoding = encoding
        self.coveredFields = coveredFields.map { $0.lowercased() }
        self.unreadBody = unreadBody
        self.makeNonce = makeNonce
    }

    /// The three fields; two, if the body stays unsigned or the request has its digest.
    public func signature(of request: HTTPRequest, at date: Date) async throws(RepositoryError) -> HTTPHeaders {
        guard !keyID.isEmpty, keyID.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) else {
            throw .invalidConfiguration(reason: "the keyID of HMACSHA256Signer is no printable ASCII")
        }
        let key = try keyBytes()
        var request = request
        var fields = HTTPHeaders()
        var components = ["@method", "@authority", "@path", "@query"]
        if let digest = try contentDigest(of: request) {
            request.headers["Content-Digest"] = digest
            fields["Content-Digest"] = digest
        }
        if request.headers["Content-Digest"] != nil { components.append("content-digest") }
        for name in coveredFields where request.headers[name] != nil && !components.contains(name) {
            components.append(name)
        }
        let base = try SignatureBase(
            components,
            of: request,
            parameters: [
                ("created", "\(Int64(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0)"),
                ("keyid", Self.quoted(keyID)),
                ("alg", #""hmac-sha256""#),
                ("nonce", Self.quoted(try makeNonce())),
            ]
        )
        fields["Signature-Input"] = "sig=\(base.parameters)"
        fields["Signature"] = "sig=:\(try Self.code(of: base.text, key)):"
        return fields
    }

    /// The digest of a request's body; `nil` if it stays unsigned, or if the request has one that cannot be found out here.
    private func contentDigest(of request: HTTPRequest) throws(RepositoryError) -> String? {
        guard let data = request.body.map({ $0.data }) ?? Data() else {
            guard unreadBody == .unsigned || request.headers["Content-Digest"] != nil else {
                throw .invalidRequest(
                    reason: "a body that is not in memory cannot be signed: leave it unsigned with unreadBody"
                )
            }
            return nil
        }
        do throws(CryptoError) {
            return "sha-256=:\(Data(try Digest.sha256(data).bytes).base64EncodedString()):"
        } catch {
            throw .invalidRequest(reason: "the body cannot be digested: \(error)")
        }
    }

    private func keyBytes() throws(RepositoryError) -> Data {
        let bytes =
            switch encoding {
            case .text: Data(key.value.utf8)
            case .base64: Data(base64Encoded: key.value)
            }
        guard let bytes else { throw .invalidConfiguration(reason: "the key of HMACSHA256Signer is no Base64") }
        guard !bytes.isEmpty else { throw .invalidConfiguration(reason: "the key of HMACSHA256Signer is empty") }
        return bytes
    }

    private static func code(of text: String, _ key: Data) throws(RepositoryError) -> String {
        do throws(CryptoError) {
            return Data(try AuthenticationCode(of: text.utf8, key: key).bytes).base64EncodedString()
        } catch {
            throw .invalidRequest(reason: "the request cannot be signed: \(error)")
        }
    }

    /// A text as structured fields write it (RFC 8941, section 3.3.3).
    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

extension HMACSHA256Signer: CustomStringConvertible, CustomReflectable {
    /// The key's name.
    public var description: String { "HMAC-SHA256, \(keyID)" }

    /// What a dump or a debugger shows: the same.
    public var customMirror: Mirror { Mirror(reflecting: description) }
}
