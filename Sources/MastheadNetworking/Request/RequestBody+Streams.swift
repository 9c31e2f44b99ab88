public import FoundationEssentials
import MastheadTransport

extension RequestBody {
    /// A file's bytes, read while they are sent: a file of any size takes no more memory than a small one.
    ///
    /// Its length is taken when the request is made. A file that cannot be read ends the call with
    /// ``RepositoryError/invalidRequest(reason:)`` before anything is sent, and one that shrinks meanwhile with
    /// ``RepositoryError/fileAccess(reason:)``.
    public static func file(_ path: String, contentType: String? = "application/octet-stream") -> RequestBody {
        RequestBody(contentType: contentType) { _ in
            let length = try UploadFile.length(of: path)
            return HTTPBody(.parts([.file(path: path, offset: 0, length: length)]))
        }
    }

    /// A form with files, as `multipart/form-data` (RFC 7578): of any size, in as much memory as its fields take.
    ///
    /// Its length is known before it is sent, and it can be sent again. What holds for a ``file(_:contentType:)`` holds for
    /// each of its files.
    public static func multipart(_ form: MultipartForm) -> RequestBody {
        RequestBody(contentType: form.contentType) { _ in
            HTTPBody(
                .parts(
                    try MultipartLayout(form).segments.map { segment in
                        switch segment {
                        case .bytes(let data): .data(data)
                        case .file(let path, let length): .file(path: path, offset: 0, length: length)
                        }
                    }
                )
            )
        }
    }

    /// Bytes that are made while they are sent.
    ///
    /// The sequence is read in a task of its own, no faster than the server takes the bytes, and can be sent once: where
    /// it would have to be sent again, after a redirect for example, the call ends in
    /// ``RepositoryError/bodyNotReplayable``. An error of the sequence ends it in ``RepositoryError/fileAccess(reason:)``.
    ///
    /// Without a `length`, it goes out in a chunked coding where the server speaks HTTP/1.1 (RFC 9112, section 7.1).
    public static func stream<Chunks: AsyncSequence & Sendable>(
        _ chunks: Chunks,
        length: Int? = nil,
        contentType: String? = "application/octet-stream"
    ) -> RequestBody where Chunks.Element == Data {
        RequestBody(contentType: contentType) { _ in
            HTTPBody(.stream(StreamedBody(length: length) { pipe in await pipe.write(all: chunks, length: length) }))
        }
    }

    /// The same body, with somebody who learns how far its sending is.
    ///
    /// It is called on a thread of the library's for each piece that was handed to the connection, and must not block. A
    /// body that is sent again starts again at zero.
    public func onProgress(_ report: @escaping @Sendable (TransferProgress) -> Void) -> RequestBody {
        let make = make
        return RequestBody(contentType: contentType, contentEncoding: contentEncoding) { configuration in
            var body = try make(configuration)
            body.onProgress = report
            return body
        }
    }
}

extension BodyPipe {
    /// Writes everything, or as much as somebody wants.
    fileprivate func write<Chunks: AsyncSequence & Sendable>(
        all chunks: Chunks,
        length: Int?
    ) async where Chunks.Element == Data {
        var written = 0
        do {
            for try await chunk in chunks {
                written += chunk.count
                guard length.map({ written <= $0 }) ?? true else { break }
                guard await write(chunk) else { return finish(.cancelled) }
            }
        } catch {
            // An error of the app's may say anything, so only its type is told.
            return finish(.file("the body's sequence failed: \(type(of: error))"))
        }
        // Fewer or more bytes than were promised would make the server read something else as the body.
        if let length, written != length {
            return finish(.file("the body's sequence did not have the \(length) bytes that were promised"))
        }
        finish()
    }
}
