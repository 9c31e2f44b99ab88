extension Request {
    /// The same request with a wish of its own about the cache, instead of the repository's.
    ///
    /// ```swift
    /// await perform(.get("issues/\(id)").cached(.cacheFirst(maxAge: .seconds(600)), tags: ["issue"]))
    /// ```
    ///
    /// - Parameters:
    ///   - policy: What is wanted.
    ///   - tags: What the answer can be removed by together with others; see ``CachePartition/removeAll(tagged:)``.
    /// - Returns: The request.
    public func cached(_ policy: CachePolicy, tags: Set<String> = []) -> Request {
        var request = self
        request.cachePolicy = policy
        request.cacheTags = tags
        return request
    }
}
