import FoundationEssentials

extension CacheRequest {
    /// Makes the cache's view of a request that is ready to be sent.
    package init(_ request: HTTPRequest) {
        self.init(method: request.method, url: request.url.absoluteString, headers: request.headers)
    }
}
