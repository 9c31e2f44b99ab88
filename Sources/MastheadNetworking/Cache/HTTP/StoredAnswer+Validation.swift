import FoundationEssentials

extension StoredAnswer {
    /// The fields that ask whether it still holds (RFC 9111, section 4.3.1): every validator it has, as the server wrote it.
    ///
    /// None for an error or a redirect: servers look at conditions only where they would answer 200 (RFC 9110, section 13.2.1).
    package var validators: HTTPHeaders {
        guard 200...299 ~= status else { return [:] }
        var fields: HTTPHeaders = [:]
        if let tag = entityTag { fields.append(tag.description, for: "If-None-Match") }
        if lastModified != nil, let text = headers["Last-Modified"] {
            fields.append(String(text.trimmingBlanks), for: "If-Modified-Since")
        }
        return fields
    }

    /// Its entity tag.
    var entityTag: EntityTag? { headers["ETag"].flatMap(EntityTag.init) }

    /// When it last changed, as the server says.
    var lastModified: Date? { headers.date("Last-Modified", now: responseTime) }

    /// The answer with what a newer head says of it (section 3.2).
    ///
    /// Each field replaces those of its name, except what belongs to the bytes that were kept: their length and coding, and the
    /// tag that the server knows them by. `Age` and `Date` are the newer one's, or nobody's.
    ///
    /// - Parameters:
    ///   - answer: A 304, or what HEAD was answered.
    ///   - request: The request it came to, if the stored answer is for such; its values of a new `Vary` are taken.
    /// - Returns: The answer to serve, and whether it may be kept.
    func freshened(by answer: ReceivedAnswer, to request: CacheRequest?) -> (answer: StoredAnswer, isKept: Bool) {
        let added = answer.headers.storable.without(Self.neverFreshened)
        let replaced = Set(added.fields.map { $0.name.lowercased() }).union(["age", "date"])
        let merged = HTTPHeaders(headers.without(replaced).fields + added.fields)
        let newVariant = request.map { VariantKey(answer: merged, request: $0.headers) } ?? variant
        let freshened = StoredAnswer(
            key: key,
            variant: newVariant ?? variant,
            status: status,
            headers: merged,
            requestTime: answer.requestTime,
            responseTime: answer.responseTime
        )
        return (freshened, newVariant != nil && !freshened.control.forbidsStoring)
    }

    private static let neverFreshened: Set<String> = ["content-encoding", "content-length", "content-range", "etag"]
}

extension HTTPHeaders {
    /// A field's date; `nil` if it is not there, or none.
    func date(_ name: String, now: Date) -> Date? {
        self[name].flatMap { Date(httpDate: $0.trimmingBlanks, now: now) }
    }
}
