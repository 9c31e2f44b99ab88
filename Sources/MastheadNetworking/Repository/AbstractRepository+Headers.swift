extension AbstractRepository {
    /// Makes the call, decodes the answer, and gives something of its header fields too.
    package final func perform<Value: Decodable & Sendable, Noted: Sendable>(
        _ request: Request<Value>,
        noting note: @escaping @Sendable (HTTPHeaders) -> Noted
    ) async -> Result<(value: Value, noted: Noted), RepositoryError> {
        await pipeline.run(request, polls: false, model: Value.self, prepare: prepare) {
            (response) throws(RepositoryError) in
            (try response.model(Value.self), note(response.headers))
        }
    }
}
