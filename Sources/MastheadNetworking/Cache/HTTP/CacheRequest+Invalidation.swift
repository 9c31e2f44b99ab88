extension CacheRequest {
    /// The keys of which everything is to be taken out after an answer (RFC 9111, section 4.4).
    ///
    /// A method that changes something, or may, and no error: then the URL itself, and what `Location` and
    /// `Content-Location` name, if that is of the same origin. Another's content is not for this server to take out.
    package func invalidatedKeys(by answer: ReceivedAnswer) -> Set<CacheKey> {
        guard !Self.safeMethods.contains(method), 200...399 ~= answer.status, let key else { return [] }
        let origin = try? Origin(reference)
        let named = ["Location", "Content-Location"].flatMap { answer.headers.values(of: $0) }
            .map { URLReference($0.trimmingBlanks).resolved(against: reference) }
            .filter { (try? Origin($0)) == origin }
            .compactMap { CacheKey($0) }
        return Set(named + [key])
    }

    /// The methods that change nothing (RFC 9110, section 9.2.1).
    private static let safeMethods: Set<HTTPMethod> = [.get, .head, .options, "TRACE"]
}
