import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension PartFile {
    /// Puts the file into its place after its checks, and forgets the part.
    ///
    /// - Parameters:
    ///   - response: The answer that brought the last of it.
    ///   - checksum: What it must digest to, beside what the server says itself (RFC 9530).
    /// - Returns: The file in its place.
    /// - Throws: What is wrong with it.
    package func finish(
        _ response: HTTPResponse,
        checksum: Checksum? = nil
    ) throws(RepositoryError) -> DownloadedFile {
        if response.status == 304 { return try unchanged(response, checksum: checksum) }
        // An executor that knows no files brings the body in memory.
        let arrival = if let arrival = response.arrival { arrival } else { try keep(response) }
        let length = length
        if let size = arrival.size, size != length { throw .incompleteBody(received: length, expected: size) }
        let own = arrival.isDescribed ? Checksum(status: response.status, headers: response.headers) : nil
        do throws(RepositoryError) {
            try FileDigest.check(descriptor, against: [checksum, own].compactMap(\.self))
        } catch {
            discard()
            throw error
        }
        guard fsync(descriptor) == 0 else { throw paths.failure("cannot be written") }
        do throws(RepositoryError) {
            try response.binding?.check()
        } catch {
            discard()
            throw error
        }
        // Before the rename, after which another download may begin with a part of its own.
        paths.removeState()
        guard rename(paths.part, paths.whole) == 0 else { throw paths.failure("cannot be put into its place") }
        return DownloadedFile(
            path: paths.whole,
            size: length,
            resumedFrom: arrival.resumedFrom,
            headers: response.headers,
            url: response.url
        )
    }

    /// Leaves what can be gone on with, and removes what cannot: nobody goes on with that of a session that is over.
    package func giveUp() {
        if paths.readState() == nil || isSessionOver { discard() }
    }

    private func discard() {
        paths.removeState()
        unlink(paths.part)
    }

    /// The file that is there: who asks on a condition is told that it is still right.
    private func unchanged(
        _ response: HTTPResponse,
        checksum: Checksum?
    ) throws(RepositoryError) -> DownloadedFile {
        let file = open(paths.whole, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .emptyBody(status: response.status) }
        defer { close(file) }
        try FileDigest.check(file, against: checksum.map { [$0] } ?? [])
        var status = stat()
        guard fstat(file, &status) == 0 else { throw paths.failure("cannot be read") }
        giveUp()
        let size = Int(status.st_size)
        return DownloadedFile(
            path: paths.whole,
            size: size,
            resumedFrom: size,
            headers: response.headers,
            url: response.url
        )
    }

    /// Writes a body that came in memory.
    private func keep(_ response: HTTPResponse) throws(RepositoryError) -> Arrival {
        switch response.status {
        case 200, 203: break
        case 204, 205: throw .emptyBody(status: response.status)
        case 206:
            // Who knows no files cannot put it into its place: the next download begins anew.
            discard()
            throw .invalidResponse(reason: "a part of the body, of an executor that brings no files")
        // Whatever a 202 has to say, say, it is not the file.
        default: throw .invalidResponse(reason: "an answer of status \(response.status) brings no file")
        }
        paths.removeState()
        guard ftruncate(descriptor, 0) == 0 else { throw paths.failure("cannot be written") }
        let size = response.body.count
        var rest = response.body[...]
        while !rest.isEmpty {
            let offset = off_t(size - rest.count)
            let count = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, offset) }
            guard count > 0 || count < 0 && errno == EINTR else { throw paths.failure("cannot be written") }
            rest = rest.dropFirst(max(0, count))
        }
        onProgress?(TransferProgress(completed: size, total: size))
        return Arrival(size: size, resumedFrom: 0)
    }
}
