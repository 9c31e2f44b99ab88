public import FoundationEssentials

/// Signs each request as it is given to the transport, so that a server knows who sent it and that nobody changed what is
/// signed of it.
///
/// ```swift
/// struct StampSigner: RequestSigner {
///     let stamp: Secret
///
///     func signature(of request: HTTPRequest, at date: Date) async throws(RepositoryError) -> HTTPHeaders {
///         ["X-Stamp": digest(stamp, request.method, request.url, request.body?.data)]
///     }
/// }
/// ```
///
/// It is asked after everything else: ``AbstractRepository/prepare(_:)``, the session and the interceptor have made their
/// changes, which are checked. It is asked anew for each attempt, poll and redirect, since a signature has a time and a
/// nonce; nothing of one goes into the next. And it is asked only for ``NetworkingConfiguration``'s own origin: a request
/// that a redirect or an interceptor sends elsewhere is not signed, nor is what another server's redirect asks for on the way
/// back, so that nobody can have a request of their own making signed.
///
/// What it does not put into its signature, nobody answers for. Nor can it sign what comes after it: `Host` where the request
/// has none, `Content-Length`, `Transfer-Encoding` and what frames the body, and `Accept-Encoding` where the request has none.
/// A download's `Accept-Encoding`, `Range` and `If-Range` are there before. <doc:SigningRequests> says what
/// ``HMACSHA256Signer`` leaves out.
///
/// ``HMACSHA256Signer`` is one. Set it as ``NetworkingConfiguration/signer``. It is called from any task and must not block
/// the thread.
public protocol RequestSigner: Sendable {
    /// The header fields that sign a request.
    ///
    /// - Parameters:
    ///   - request: The request as it is given to the transport, which adds the fields named above. The bytes of a body that
    ///     is in memory are ``HTTPBody/data``.
    ///   - date: Now.
    /// - Returns: Fields to add; each replaces those of its name. They may not change what was signed.
    /// - Throws: Why it cannot be signed; the request is not sent then.
    func signature(of request: HTTPRequest, at date: Date) async throws(RepositoryError) -> HTTPHeaders
}
