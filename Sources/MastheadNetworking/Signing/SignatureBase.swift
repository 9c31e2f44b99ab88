import FoundationEssentials
import MastheadCrypto

/// What is signed of a request: the signature base of RFC 9421, section 2.5.
///
/// A line for each component, `"name": value`, in the order they are named, and last the parameters. Of the derived
/// components (section 2.2) it knows `@method`, `@target-uri`, `@scheme`, `@authority`, `@path` and `@query`; any other
/// name is that of a header field. `@authority` and `@target-uri` are those of a `Host` field of the request's own, if it has
/// one: a server makes the target URI of that (RFC 9110, section 7.1).
package struct SignatureBase: Sendable, Hashable {
    /// The text that is signed.
    package let text: String

    /// What stands in `Signature-Input` behind the label.
    package let parameters: String

    /// Puts the base together.
    ///
    /// - Parameters:
    ///   - components: The names, in lower case; none twice.
    ///   - request: What is signed.
    ///   - parameters: The parameters in their order, as they are written: numbers bare, texts quoted.
    /// - Throws: ``RepositoryError/invalidRequest(reason:)`` for a component that the request does not have.
    package init(
        _ components: [String],
        of request: HTTPRequest,
        parameters: [(name: String, value: String)]
    ) throws(RepositoryError) {
        let url = URLReference(request.url.absoluteString)
        var lines: [String] = []
        for component in components {
            let value = try Self.value(of: component, request, url)
            lines.append("\"\(component)\": \(value)")
        }
        let names = components.map { "\"\($0)\"" }.joined(separator: " ")
        self.parameters = "(\(names))" + parameters.map { ";\($0.name)=\($0.value)" }.joined()
        text = (lines + ["\"@signature-params\": \(self.parameters)"]).joined(separator: "\n")
    }

    private static func value(
        of component: String,
        _ request: HTTPRequest,
        _ url: URLReference
    ) throws(RepositoryError) -> String {
        switch component {
        case "@method": return request.method.rawValue
        case "@path": return url.path.isEmpty ? "/" : url.path
        case "@query": return "?" + (url.query ?? "")
        case "@scheme": return try Origin(url).scheme
        case "@authority": return try target(of: request, url).authority
        case "@target-uri":
            let origin = try target(of: request, url)
            let path = url.path.isEmpty ? "/" : url.path
            return "\(origin.scheme)://\(origin.authority)\(path)" + (url.query.map { "?\($0)" } ?? "")
        default:
            let values = request.headers.values(of: component)
            guard !component.hasPrefix("@"), !values.isEmpty else {
                throw .invalidRequest(reason: "the request has no \(component) to sign")
            }
            return values.map { $0.trimmed }.joined(separator: ", ")
        }
    }
}

extension SignatureBase {
    /// Where a server sees the request go: to its own `Host`, if it has one.
    private static func target(of request: HTTPRequest, _ url: URLReference) throws(RepositoryError) -> Origin {
        let hosts = request.headers.values(of: "Host")
        guard !hosts.isEmpty else { return try Origin(url) }
        var named = URLReference("\(try Origin(url).scheme)://")
        named.authority = hosts[0].trimmed
        // What is put into another form here, a server would see as it was sent.
        guard hosts.count == 1, hosts[0].utf8.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "%") }),
            let target = try? Origin(named)
        else { throw .invalidRequest(reason: "the Host field is none that can be signed") }
        return target
    }
}

extension Origin {
    /// Host and port as RFC 9421, section 2.2.3, wants them: in lower case, without the scheme's own port.
    fileprivate var authority: String {
        port == (scheme == "https" ? 443 : 80) ? host : "\(host):\(port)"
    }
}

extension String {
    /// The text without spaces and tabs around it (RFC 9421, section 2.1).
    fileprivate var trimmed: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else {
            return ""
        }
        return String(self[first...last])
    }
}
