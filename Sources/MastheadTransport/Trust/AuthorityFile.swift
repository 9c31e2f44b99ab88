#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Certificate authorities that are in memory, in a file of their own: libcurl keeps what it parsed of a file between
/// connections, and parses what is in memory for each anew.
///
/// Only this process's user can read or replace the file; it goes with this object. Equal texts are equal.
package final class AuthorityFile: Hashable, Sendable {
    package let path: String

    private let folder: String
    private let pem: [UInt8]
    private let hash: Int

    /// Writes the file; this blocks.
    ///
    /// - Parameter pem: One or more certificates as PEM.
    /// - Throws: ``TransportError/file(_:)`` if it can't be written.
    package init(pem: [UInt8]) throws(TransportError) {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/masthead-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw .file("no folder for authorities: errno \(errno)") }
        folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        path = folder + "/authorities.pem"
        self.pem = pem
        hash = pem.hashValue
        guard Self.write(pem, to: path) else {
            let reason = errno
            unlink(path)
            rmdir(folder)
            throw .file("authorities could not be written: errno \(reason)")
        }
    }

    deinit {
        unlink(path)
        rmdir(folder)
    }

    private static func write(_ bytes: [UInt8], to path: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            offset += count
        }
        return true
    }

    package static func == (left: AuthorityFile, right: AuthorityFile) -> Bool {
        left === right || left.hash == right.hash && left.pem == right.pem
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(hash)
    }
}
