/// Where the page after the one that was read is.
///
/// ```swift
/// .custom { page in page.count < 50 ? .last : .query(["offset": .int(Int64(page.total))]) }
/// ```
public enum NextPage<Body>: Sendable {
    /// There is none.
    case last

    /// At the first page's request, with these parameters in its query in the place of those of the same names.
    case query(Parameters)

    /// At a URL that the server gave, whole or relative to the page's own.
    ///
    /// It must be at the configured scheme, host and port, and below the configured path; anything else ends the list in
    /// ``RepositoryError/invalidURL(reason:)`` and is not asked. With `ignoringOrigin` only its path and its query count,
    /// whatever host it names: for servers behind a proxy that do not know their own. Method, header fields and body are
    /// the first page's.
    case url(String, ignoringOrigin: Bool = false)

    /// At another request.
    case request(Request<Body>)
}
