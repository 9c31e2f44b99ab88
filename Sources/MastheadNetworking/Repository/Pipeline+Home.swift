import FoundationEssentials

extension Pipeline {
    /// Whether a request goes to the configured origin.
    func isAtHome(_ request: HTTPRequest) throws(RepositoryError) -> Bool {
        try origin(of: request) == home?.origin
    }

    /// The origin a request goes to; that of the configuration needs not be read again.
    func origin(of request: HTTPRequest) throws(RepositoryError) -> Origin {
        let text = request.url.absoluteString
        if let home, text.utf8.starts(with: home.start.utf8) { return home.origin }
        return try Origin(URLReference(text))
    }
}
