import FoundationEssentials

/// A write as it is kept: everything that is needed to send it, and no secret.
struct KeptWrite: Sendable {
    static let maximumBodySize = 16 << 20

    let id: OutboxItem.ID
    let kind: String
    let lane: String
    /// The idempotency key.
    let key: String
    let method: String
    /// What stands in the URL behind the configured base, percent-encoded.
    let target: String
    let headers: HTTPHeaders
    let body: Data?
    let usesSession: Bool
    let timeout: Duration?
    let valueKey: String?
    let value: Data?
    var dependencies: [OutboxItem.ID] = []
    /// How often it was sent in vain.
    var attempts = 0
    /// When the server wants to be asked again; `nil` at any time.
    var notBefore: Date?

    /// What is shown until it is done.
    var optimistic: OptimisticValue? {
        guard let valueKey, let value else { return nil }
        return OptimisticValue(key: valueKey, write: id, kind: kind, data: value)
    }
}

extension KeptWrite {
    /// Encodes a write, as the repository that will send it would.
    ///
    /// - Throws: ``RepositoryError/invalidRequest(reason:)`` and the like for what can never be sent, or not be kept.
    init(_ write: OutboxWrite, for configuration: NetworkingConfiguration) throws(RepositoryError) {
        let request = write.request
        let made = try configuration.makeHTTPRequest(from: request)
        let secrets = configuration.secretHeaders.union([configuration.authorization.field.lowercased()])
        guard !request.headers.fields.contains(where: { secrets.contains($0.name.lowercased()) }) else {
            throw .invalidRequest(reason: "a secret header field is not kept: leave it to the repository")
        }
        if let body = made.body, body.data == nil {
            throw .invalidRequest(reason: "a body of files or of a stream cannot be kept")
        }
        let body = made.body?.data
        if let body, body.count > Self.maximumBodySize { throw .bodyTooLarge(limit: Self.maximumBodySize) }
        let base = try BaseURL(configuration)
        let keyField = configuration.retry.idempotencyKeyHeader
        var own = Set(request.headers.fields.map { $0.name.lowercased() }).union(["content-type", "content-encoding"])
        own.remove(keyField.lowercased())
        let ownKey = request.headers[keyField] ?? ""
        self.init(
            id: write.id,
            kind: write.kind,
            lane: write.lane,
            key: ownKey.isEmpty ? write.id.rawValue : ownKey,
            method: made.method.rawValue,
            target: String(made.url.absoluteString.dropFirst((base.origin + base.path).count)),
            headers: HTTPHeaders(made.headers.fields.filter { own.contains($0.name.lowercased()) }),
            body: body,
            usesSession: request.usesSession,
            timeout: request.timeout,
            valueKey: write.value?.key,
            value: try write.value.map { (value) throws(RepositoryError) in try Self.encode(value) },
            dependencies: write.dependencies
        )
    }

    private static func encode(_ value: OutboxWrite.Value) throws(RepositoryError) -> Data {
        do {
            return try value.encode()
        } catch {
            // It may describe a value, so only its type is told.
            throw .invalidRequest(reason: "the write's value does not encode: \(type(of: error))")
        }
    }
}

extension AbstractRepository {
    /// Sends a kept write, as any other call.
    ///
    /// - Parameters:
    ///   - write: The write.
    ///   - session: The number of the only session it may be sent in; `nil` if the repository has none.
    /// - Returns: The answer.
    final func send(_ write: KeptWrite, inSession session: Int?) async -> Result<HTTPResponse, RepositoryError> {
        var request = Request<HTTPResponse>(
            method: HTTPMethod(write.method),
            path: "",
            headers: write.headers,
            body: write.body.map { .data($0, contentType: nil) },
            timeout: write.timeout
        )
        request.headers[configuration.retry.idempotencyKeyHeader] = write.key
        request.usesSession = write.usesSession
        request.onlySession = session
        do throws(RepositoryError) {
            request.url = try configuration.url(pinnedToOrigin: BaseURL(configuration).path + write.target)
        } catch {
            return .failure(error)
        }
        return await performRaw(request)
    }
}
