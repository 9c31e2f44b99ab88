import MastheadCrypto

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Digests an open file, whatever its size, in little memory; it reads all of it, so it may block.
enum FileDigest {
    private static let pieceSize = 256 << 10

    /// Makes sure that a file is what each of some checksums says; without one it is not even read.
    ///
    /// - Throws: ``RepositoryError/corruptBody(reason:)`` if it is not.
    static func check(_ descriptor: Int32, against checksums: [Checksum]) throws(RepositoryError) {
        guard !checksums.isEmpty else { return }
        let digest = try sha256(of: descriptor)
        guard checksums.allSatisfy({ $0.matches(digest) }) else {
            throw .corruptBody(reason: "the file is not the one of its checksum")
        }
    }

    private static func sha256(of descriptor: Int32) throws(RepositoryError) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
        defer { buffer.deallocate() }
        do throws(CryptoError) {
            var stream = try DigestStream(.sha256)
            var offset = 0
            while true {
                let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
                if count == 0 { return try stream.finish().bytes }
                if count > 0 {
                    try stream.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    offset += count
                } else if errno != EINTR {
                    break
                }
            }
        } catch {
            throw .fileAccess(reason: "the download cannot be digested: \(error)")
        }
        throw .fileAccess(reason: "the download cannot be read again: \(String(cString: strerror(errno)))")
    }
}
