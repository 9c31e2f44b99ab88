/// A request as a command for a shell, without its secrets.
struct CURLCommand: Sendable {
    /// The command, in one line.
    let text: String

    init(_ request: HTTPRequest, _ redaction: Redaction) {
        var words = ["curl"]
        switch request.method {
        case .get where request.body == nil: break
        case .head: words.append("--head")
        default: words += ["--request", Self.quoted(request.method.rawValue)]
        }
        for field in request.headers.fields {
            words += ["--header", Self.quoted("\(field.name): \(redaction.value(of: field))")]
        }
        if let body = request.body {
            words += ["--data-raw", Self.quoted(Self.text(of: body, request.headers, redaction))]
        }
        words.append(Self.quoted(redaction.url(request.url)))
        text = words.joined(separator: " ")
    }

    private static func text(of body: HTTPBody, _ headers: HTTPHeaders, _ redaction: Redaction) -> String {
        if let data = body.data { return redaction.body(data, headers: headers) }
        return body.length.map { "[\($0) bytes]" } ?? "[a stream]"
    }

    /// The word as a POSIX shell takes it back: in single quotes, nothing has a meaning but the quote itself.
    private static func quoted(_ word: String) -> String {
        "'" + word.replacing("'", with: #"'\''"#) + "'"
    }
}

extension HTTPRequest {
    /// The request as a cURL command for a shell, in one line and without its secrets.
    ///
    /// ```swift
    /// report(request.curlCommand(for: .production))
    /// // curl --header 'Authorization: [redacted]' 'https://api.example.com/v2/volumes?limit=20'
    /// ```
    ///
    /// What is left out is what ``RequestLogger`` leaves out too; of the body only names, kinds and lengths stay.
    ///
    /// - Parameter configuration: Says which fields and parameters are secret.
    /// - Returns: The command; every word in it is quoted.
    public func curlCommand(for configuration: NetworkingConfiguration) -> String {
        CURLCommand(self, Redaction(configuration)).text
    }
}
