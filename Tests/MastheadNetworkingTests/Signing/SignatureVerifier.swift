import Foundation
import MastheadCrypto
import MastheadLock
import MastheadNetworking
import MastheadTesting

/// What a server does with a request that is signed by HMAC-SHA256: RFC 9421, section 3.2, written down a second time.
final class SignatureVerifier: Sendable {
    enum Refusal: Error, Hashable {
        case unsigned, malformed, wrongKey, weak, stale, repeated, wrongDigest, wrongSignature
    }

    private let keys: [String: Data]
    private let mayOmitDigest: Bool
    private let nonces = Lock<Set<String>>([])

    init(keys: [String: Data], mayOmitDigest: Bool = false) {
        self.keys = keys
        self.mayOmitDigest = mayOmitDigest
    }

    /// A request as it came, which somebody on the way may have changed.
    struct Received {
        var method: String
        var path: String
        var query: String?
        var headers: HTTPHeaders
        var body: Data

        init(_ request: ScriptedServer.ReceivedRequest) {
            (method, path, query) = (request.method, request.path, request.query)
            (headers, body) = (request.headers, request.body)
        }
    }

    /// Makes sure that a request is signed, new and whole.
    func verify(_ request: ScriptedServer.ReceivedRequest, at now: Date) throws {
        try verify(Received(request), at: now)
    }

    /// Makes sure that a request is signed, new and whole.
    func verify(_ request: Received, at now: Date) throws {
        guard let input = request.headers["Signature-Input"], let signature = request.headers["Signature"] else {
            throw Refusal.unsigned
        }
        let parts = input.matches(
            of: /^sig=(\(([^()]*)\);created=(\d+);keyid="([^"]*)";alg="hmac-sha256";nonce="([^"]+)")$/
        )
        guard let parts = parts.first?.output, signature.hasPrefix("sig=:"), signature.hasSuffix(":"),
            let code = Data(base64Encoded: String(signature.dropFirst(5).dropLast())), let created = Int(parts.3)
        else { throw Refusal.malformed }
        guard let key = keys[String(parts.4)] else { throw Refusal.wrongKey }

        let components = parts.2.split(separator: " ").map { String($0.dropFirst().dropLast()) }
        guard ["@method", "@authority", "@path", "@query"].allSatisfy(components.contains),
            components.contains("content-digest") || mayOmitDigest
        else { throw Refusal.weak }
        var lines = try components.map { "\"\($0)\": \(try Self.value(of: $0, request))" }
        lines.append("\"@signature-params\": \(parts.1)")
        guard try AuthenticationCode(of: lines.joined(separator: "\n").utf8, key: key).matches([UInt8](code)) else {
            throw Refusal.wrongSignature
        }
        if components.contains("content-digest") {
            let digest = Data(try Digest.sha256(request.body).bytes).base64EncodedString()
            guard request.headers["Content-Digest"] == "sha-256=:\(digest):" else { throw Refusal.wrongDigest }
        }
        guard abs(now.timeIntervalSince1970 - Double(created)) <= 300 else { throw Refusal.stale }
        guard nonces.withLock({ $0.insert(String(parts.5)).inserted }) else { throw Refusal.repeated }
    }

    private static func value(of component: String, _ request: Received) throws -> String {
        switch component {
        case "@method": return request.method
        case "@authority":
            let host = (request.headers["Host"] ?? "").lowercased()
            return host.hasSuffix(":80") ? String(host.dropLast(3)) : host
        case "@path": return request.path
        case "@query": return "?" + (request.query ?? "")
        default:
            let values = request.headers.values(of: component)
            guard !component.hasPrefix("@"), !values.isEmpty else { throw Refusal.malformed }
            return values.joined(separator: ", ")
        }
    }
}
