import FoundationEssentials

/// Decides what is asked after each answer of an exchange (RFC 9110, section 15.4).
///
/// A value without I/O: it counts, remembers where the exchange has been, and makes the next request. A secret that was
/// dropped is not restored on the way back, because each request is made from the one before it.
package struct RedirectPolicy: Sendable {
    private let limit: Int
    private let allowsInsecure: Bool
    private let decide: (@Sendable (Redirect) -> RedirectDecision)?
    /// What belongs to one origin: the secrets, and its name.
    private let boundHeaders: Set<String>
    private let sessionField: String
    private var followed = 0
    private var visited: Set<Stop> = []

    private struct Stop: Hashable {
        let method: HTTPMethod
        let target: String

        init(_ request: HTTPRequest) {
            method = request.method
            target = request.url.absoluteString
        }
    }

    package init(_ configuration: NetworkingConfiguration) {
        limit = configuration.maximumRedirects
        allowsInsecure = configuration.allowsInsecureRedirects
        decide = configuration.onRedirect
        sessionField = configuration.authorization.field
        boundHeaders = configuration.secretHeaders.union([
            "authorization", "cookie", "proxy-authorization", "host", configuration.authorization.field.lowercased(),
        ])
    }

    /// Whether an answer asks for another request, if it names one.
    package static func isRedirect(_ response: HTTPResponse) -> Bool {
        switch response.status {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    /// The request an answer asks for; `nil` if the answer is final.
    ///
    /// Final are all statuses but 301, 302, 303, 307 and 308, those too if they name no target, every one if
    /// ``NetworkingConfiguration/maximumRedirects`` is 0, and one that ``NetworkingConfiguration/onRedirect`` stops.
    ///
    /// - Throws: ``RepositoryError/tooManyRedirects(limit:)`` past the limit or in a loop;
    ///   ``RepositoryError/invalidURL(reason:)`` if the target may not be asked;
    ///   ``RepositoryError/bodyNotReplayable`` if the body would have to be sent a second time and cannot.
    package mutating func next(
        after response: HTTPResponse,
        to request: HTTPRequest
    ) throws(RepositoryError) -> HTTPRequest? {
        guard Self.isRedirect(response), limit > 0 else { return nil }
        let locations = Set(response.headers.values(of: "Location"))
        guard locations.count <= 1 else { throw .invalidResponse(reason: "the redirect names several targets") }
        guard let location = locations.first, !location.isEmpty else { return nil }

        let source = URLReference(request.url.absoluteString)
        let target = try Self.target(of: location, from: source)
        let sourceOrigin = try Origin(source)
        let targetOrigin = try Origin(target)
        try checkSecurity(of: targetOrigin, after: sourceOrigin)
        guard followed < limit else { throw .tooManyRedirects(limit: limit) }
        guard let url = URL(string: target.text, encodingInvalidCharacters: false) else {
            throw .invalidURL(reason: "the redirect's target is no URL")
        }
        var next = request
        next.url = url
        Self.adaptMethod(of: &next, to: response.status)
        if targetOrigin != sourceOrigin { dropSecrets(of: &next) }
        if let decide {
            let redirect = Redirect(
                source: request.url,
                status: response.status,
                request: next,
                crossesOrigin: targetOrigin != sourceOrigin
            )
            guard let decided = try apply(decide(redirect), to: redirect, from: sourceOrigin) else { return nil }
            next = decided
        }
        if let body = next.body, !body.isReplayable, body == request.body { throw .bodyNotReplayable }

        if visited.isEmpty { visited.insert(Stop(request)) }
        guard visited.insert(Stop(next)).inserted else { throw .tooManyRedirects(limit: limit) }
        followed += 1
        return next
    }

    /// What the app's decision comes to; `nil` to stop.
    private func apply(
        _ decision: RedirectDecision,
        to redirect: Redirect,
        from source: Origin
    ) throws(RepositoryError) -> HTTPRequest? {
        switch decision {
        case .follow: return redirect.request
        case .stop: return nil
        case .refuse(let error): throw error
        case .sendWithSecrets(let request): return try check(request, instead: redirect.request, from: source).request
        case .send(let request):
            var (request, origin) = try check(request, instead: redirect.request, from: source)
            let isSame = origin == (try Origin(URLReference(redirect.request.url.absoluteString)))
            for name in boundHeaders where !isSame || redirect.request.headers[name] == nil {
                request.headers[name] = nil
            }
            return request
        }
    }

    /// Makes sure that a request of the app's may be sent, and that its answer goes where that of the other would.
    private func check(
        _ request: HTTPRequest,
        instead proposed: HTTPRequest,
        from source: Origin
    ) throws(RepositoryError) -> (request: HTTPRequest, origin: Origin) {
        try request.checkSendable(unless: proposed)
        let origin = try Origin(URLReference(request.url.absoluteString))
        try checkSecurity(of: origin, after: source)
        var request = request
        request.delivery = proposed.delivery
        request.metricsReport = proposed.metricsReport
        request.binding = proposed.binding
        // Whatever it was made of, it carries the session's token if that is still in it and at home.
        let isHome = origin == (try Origin(URLReference(proposed.url.absoluteString)))
        let hasToken = request.headers[sessionField] == proposed.headers[sessionField]
        request.carriesSession = proposed.carriesSession && isHome && hasToken
        return (request, origin)
    }

    private func checkSecurity(of target: Origin, after source: Origin) throws(RepositoryError) {
        guard target.isSecure || !source.isSecure || allowsInsecure else {
            throw .invalidURL(reason: "a redirect led from https to http")
        }
    }

    /// Resolves the `Location` field; its fragment is for the reader of the answer, and not sent.
    private static func target(of location: String, from source: URLReference) throws(RepositoryError) -> URLReference {
        guard !location.utf8.contains(where: \.isControl) else {
            throw .invalidURL(reason: "the redirect's target holds a control character")
        }
        var target = try URLReference(location).resolved(against: source).withASCIIHost()
        target.fragment = nil
        target.path = target.path.percentEncodingIllegalBytes()
        target.query = target.query?.percentEncodingIllegalBytes()
        if target.path.isEmpty { target.path = "/" }
        return target
    }

    /// Changes the method as browsers and the RFC agree on.
    ///
    /// Only POST becomes GET on 301 and 302, everything but HEAD does on 303, and nothing on 307 and 308. What keeps its
    /// method keeps its body.
    private static func adaptMethod(of request: inout HTTPRequest, to status: Int) {
        let becomesGet =
            switch status {
            case 301, 302: request.method == .post
            case 303: request.method != .head && request.method != .get
            default: false
            }
        guard becomesGet else { return }
        request.method = .get
        request.body = nil
        for name in bodyHeaders { request.headers[name] = nil }
    }

    /// The fields that speak of a body (RFC 9110, section 15.4): without one they would be lies.
    private static let bodyHeaders = [
        "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location", "Content-Range",
        "Content-MD5", "Content-Digest", "Repr-Digest", "Digest", "Last-Modified", "Transfer-Encoding", "Expect",
        "Trailer",
    ]

    /// Removes what only the first origin may know, and the name of the first host.
    private func dropSecrets(of request: inout HTTPRequest) {
        for name in boundHeaders { request.headers[name] = nil }
        request.carriesSession = false
    }
}

extension String {
    /// Encodes each byte that may not stand in a path or a query, and each `%` that starts no escape.
    ///
    /// RFC 3986, sections 3.3 and 3.4; escapes stay. Servers send targets with spaces, in UTF-8, and with "100%".
    fileprivate func percentEncodingIllegalBytes() -> String {
        var bytes: [UInt8] = []
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            let isEscape = rest.prefix(2).count { $0.hexadecimalValue != nil } == 2
            bytes.append(byte, allowing: byte == UInt8(ascii: "%") && !isEscape ? .segment : .finished)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
