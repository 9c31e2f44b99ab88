/// What one call wants beside its request: whatever the type of its answer, so that all calls share the code they run.
struct CallOptions: Sendable {
    /// The method, also of a request that cannot be made.
    let method: HTTPMethod

    /// How long the whole call may take; `nil` for as long as the configuration says.
    let timeout: Duration?

    /// Whether a 202 is asked again.
    let polls: Bool

    /// What the answer is decoded to; `nil` if it is not.
    let model: Any.Type?

    /// Whether the body is wanted as it came.
    let needsBody: Bool

    /// Whether it needs the repository's session, if that has one.
    let usesSession: Bool

    /// The number of the only session it may be sent in; `nil` for whichever there is.
    let onlySession: Int?

    /// What is wanted of the cache; `nil` for what the repository says.
    let cachePolicy: CachePolicy?

    /// The tags of what is kept of its answer.
    let cacheTags: Set<String>

    init<Value>(_ request: Request<Value>, polls: Bool, model: Any.Type?, needsBody: Bool) {
        method = request.method
        timeout = request.timeout
        self.polls = polls
        self.model = model
        self.needsBody = needsBody
        usesSession = request.usesSession
        onlySession = request.onlySession
        cachePolicy = request.cachePolicy
        cacheTags = request.cacheTags
    }
}
