import FoundationEssentials

extension NetworkingConfiguration {
    func validate() throws(RepositoryError) {
        if domainURL.isEmpty { throw .invalidConfiguration(reason: "domainURL is empty") }
    }

    func makeHTTPRequest<Value>(
        from request: Request<Value>,
        repositoryHeaders: HTTPHeaders
    ) throws(RepositoryError) -> HTTPRequest {
        let scheme = useSecureConnection ? "https" : "http"
        let port = port.map { ":\($0)" } ?? ""
        let prefix = (subdomainURL ?? "").split(separator: "/").map(String.init)
        let path = (prefix + request.path.segments).joined(separator: "/")
        let query = (request.query.elements + request.parameters.elements)
            .map { "\($0.name)=\($0.value.stringValue ?? "")" }
            .joined(separator: "&")
        let text = "\(scheme)://\(domainURL)\(port)/\(path)" + (query.isEmpty ? "" : "?\(query)")
        guard let url = URL(string: text) else { throw .invalidURL(reason: "no URL") }
        var headers = request.headers
        headers.merge(defaults: repositoryHeaders)
        headers.merge(defaults: defaultHeaders)
        var body: Data?
        do {
            body = try request.body?.encode(self)
        } catch {
            throw .invalidRequest(reason: "the body does not encode")
        }
        if let type = request.body?.contentType, headers["Content-Type"] == nil { headers["Content-Type"] = type }
        return HTTPRequest(method: request.method, url: url, headers: headers, body: body, timeout: request.timeout)
    }
}

enum RetryAfter {
    static func delay(of value: String, at date: Date) -> Duration? {
        Int(value).map { .seconds($0) }
    }
}
