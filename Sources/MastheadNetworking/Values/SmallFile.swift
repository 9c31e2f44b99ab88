#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that is read whole and replaced whole; this blocks.
enum SmallFile {
    /// Why a file could not be read, to go behind its name.
    struct Failure: Error {
        let text: String
    }

    /// The bytes of a regular file of bounded size; no device's and no pipe's, which could give no end of them.
    static func contents(_ path: String, maximumSize: Int) throws(Failure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Failure(text: errno == ENOENT ? "is not there" : "cannot be opened") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(text: "is no file")
        }
        guard status.st_size <= maximumSize else { throw Failure(text: "has more than \(maximumSize) bytes") }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16384)
        while bytes.count <= maximumSize {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw Failure(text: "cannot be read") }
            if count == 0 { return bytes }
            bytes.append(contentsOf: buffer[..<count])
        }
        throw Failure(text: "has more than \(maximumSize) bytes")
    }

    /// Puts a file there that only its owner may read: all of it, or what was there stays.
    ///
    /// One at a time may do so, since the bytes are first in the file of ``newPath(of:)``. A crash of the system may lose
    /// both.
    ///
    /// - Returns: Whether it is there.
    static func put(_ bytes: [UInt8], to path: String) -> Bool {
        let temporary = newPath(of: path)
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        var rest = bytes[...]
        var isWritten = true
        while isWritten, !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            isWritten = count > 0
            rest = rest.dropFirst(max(0, count))
        }
        isWritten = close(descriptor) == 0 && isWritten && rename(temporary, path) == 0
        if !isWritten { unlink(temporary) }
        return isWritten
    }

    /// Where the bytes are until they are all there; a process that is ended meanwhile leaves them.
    static func newPath(of path: String) -> String { "\(path).new" }
}
