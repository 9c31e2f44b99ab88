import MastheadTransport

extension AbstractRepository {
    /// Makes the call and brings the body into a file.
    ///
    /// ```swift
    /// switch await download(.get("issues/\(id)/bundle.zip"), to: path, onProgress: { show($0.fraction) }) {
    /// case .success(let file): open(file.path)
    /// case .failure(let error): report(error)
    /// }
    /// ```
    ///
    /// The file appears by a rename, whole and checked, or not at all. Until then the bytes are in a file with `.part`
    /// behind its name. A download that was broken off goes on there the next time, if the server's answer had a strong
    /// validator (RFC 9110, section 8.8.1) and it still has the same: no bytes of two versions ever meet. So does an
    /// attempt within one call, if ``NetworkingConfiguration/retry`` allows it. What was there under the file's name is
    /// replaced. A part belongs to the login in whose name it was asked for, also after a new start of the app: a call of
    /// another login, or of none, begins anew. Memory stays flat, and ``NetworkingConfiguration/maximumBodySize`` does not hold.
    ///
    /// Only an answer of 200, 203 or 206 brings a file. 304, to a request on a condition, leaves the one that is there.
    ///
    /// - Parameters:
    ///   - request: What to ask: a GET, and none of a part.
    ///   - path: Where the file is to be; its folder must exist.
    ///   - checksum: What the whole file must digest to; a `Repr-Digest` or `Content-Digest` of the server's (RFC 9530) is
    ///     checked in any case.
    ///   - onProgress: Called on a thread of the library's as bytes arrive; it must not block.
    /// - Returns: The file; or a failure, among them ``RepositoryError/fileAccess(reason:)`` if it cannot be written or
    ///   is being downloaded already, and ``RepositoryError/corruptBody(reason:)`` if it is not that of its checksum:
    ///   then nothing is left of it.
    public final func download(
        _ request: Request<DownloadedFile>,
        to path: String,
        checksum: Checksum? = nil,
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async -> Result<DownloadedFile, RepositoryError> {
        guard request.method == .get else {
            return .failure(.invalidRequest(reason: "only what a GET brings can be downloaded into a file"))
        }
        let opening = await OwnThread.run {
            Result { () throws(RepositoryError) in
                try checksum?.validate()
                return try PartFile(for: path, onProgress: onProgress)
            }
        }
        switch opening {
        case .failure(let error): return .failure(error)
        case .success(let file):
            let answer = await pipeline.run(request, polls: false, delivery: .file(file), prepare: prepare) {
                (response) throws(RepositoryError) in
                response
            }
            return await OwnThread.run {
                let result = answer.flatMap { response in
                    Result { () throws(RepositoryError) in try file.finish(response, checksum: checksum) }
                }
                if case .failure = result { file.giveUp() }
                file.release()
                return result
            }
        }
    }
}
