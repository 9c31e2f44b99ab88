import FoundationEssentials
import MastheadCrypto
import MastheadTransport

/// What the cache has to do with one call: whose part of it, and what the app wants.
struct CallCaching: Sendable {
    /// What tells calls apart that must not share an exchange.
    struct Identity: Sendable, Hashable {
        let policy: CachePolicy
        let model: ObjectIdentifier?
        let invalidations: Int
    }

    let partition: CachePartition
    var policy: CachePolicy

    /// What the answer is decoded to; `nil` for nothing.
    let model: Any.Type?

    /// The tags of what is kept.
    let tags: Set<String>

    /// The fields that the session's token may be in: whose answers these are, the partition says.
    let tokenField: String?

    /// The fields whose values are secrets, in lower case: what is not the session's token tells users apart as well.
    let secretFields: Set<String>

    /// What tells which fields of an answer hold a secret; `nil` where they are sealed, and may be kept.
    let redaction: Redaction?

    /// Whether the payload is wanted even if there is a value.
    let needsBody: Bool

    /// How often answers had been made invalid when the call began.
    let invalidations: Int

    var identity: Identity {
        Identity(policy: policy, model: model.map { ObjectIdentifier($0) }, invalidations: invalidations)
    }

    /// Gives what an answer is kept as the tags of this call: another may have had it kept, or freshened.
    func tag(_ response: HTTPResponse) {
        guard !tags.isEmpty, let cached = response.cached else { return }
        cached.partition.tag(cached.kept.record, of: cached.key, with: tags)
    }

    /// The request as the cache sees it.
    func view(of request: HTTPRequest) -> CacheRequest {
        guard request.carriesSession, let tokenField else { return CacheRequest(request) }
        var request = request
        request.headers[tokenField] = nil
        return CacheRequest(request)
    }

    /// What is kept of an answer's head: without the fields that hold a secret, if the file is not sealed.
    ///
    /// - Returns: The head; `nil` if the answer is nothing without such a field, as a redirect without its target.
    func keepable(_ head: StoredAnswer) -> StoredAnswer? {
        guard let redaction else { return head }
        let secret = head.headers.fields.filter { redaction.isSecret($0) }
        if secret.isEmpty { return head }
        let names = Set(secret.map { $0.name.lowercased() })
        if 300...399 ~= head.status, names.contains("location") { return nil }
        return head.without(names)
    }

    /// What the answers to a request are kept under.
    ///
    /// A request with a secret that is not the session's own gets answers for that secret alone.
    func entryKey(_ key: CacheKey, of request: CacheRequest) -> EntryKey? {
        var secrets = ""
        for field in request.headers.lines where secretFields.contains(field.name.lowercased()) {
            secrets += "\(field.name.lowercased()):\(field.value.utf8.count):\(field.value)\n"
        }
        guard !secrets.isEmpty else { return .answers(to: key.url) }
        guard let digest = try? Digest.sha256(secrets.utf8) else { return nil }
        return .answers(to: "\(key.url)\u{1}\(digest.hexadecimal)")
    }

    /// What a change makes invalid: what is kept for the secret that it was made with, and what is kept for none.
    func entryKeys(_ key: CacheKey, of request: CacheRequest) -> Set<EntryKey> {
        Set([entryKey(key, of: request), .answers(to: key.url)].compactMap(\.self))
    }
}

extension CallContext {
    /// How to go on after an answer that nothing could be made of: from the cache nothing more, but from the server.
    ///
    /// - Returns: The context to go on with; `nil` if the answer came from the server, or it was of the model's shape.
    /// - Throws: ``RepositoryError/notCached`` if nobody is to be asked: then there is nothing, for this model.
    func afterUselessAnswer(
        _ response: HTTPResponse,
        _ error: RepositoryError
    ) throws(RepositoryError) -> CallContext? {
        guard let cached = response.cached, cached.origin != .network, var caching else { return nil }
        switch error {
        case .decodeError, .jsonError, .emptyBody: break
        default: return nil
        }
        guard caching.policy != .cacheOnly else { throw .notCached }
        cached.partition.remove([cached.kept], known: [cached.kept], key: cached.key)
        caching.policy = .networkOnly
        var context = self
        context.caching = caching
        return context
    }
}
