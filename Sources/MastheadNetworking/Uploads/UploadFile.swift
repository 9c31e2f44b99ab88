#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that is to be sent.
package enum UploadFile {
    /// The last component of a path.
    package static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }

    /// How many bytes a regular file has that can be read: no folder, no device and no pipe, which have no length.
    ///
    /// - Throws: ``RepositoryError/invalidRequest(reason:)``, which names the file by the last component of its path.
    package static func length(of path: String) throws(RepositoryError) -> Int {
        // C takes a NUL for the end, and would open another file.
        guard !path.utf8.contains(0) else { throw .invalidRequest(reason: "the path of a file holds a NUL") }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let reason = errno == ENOENT ? "no such file" : "cannot be opened"
            throw .invalidRequest(reason: "\(name(of: path)): \(reason)")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .invalidRequest(reason: "\(name(of: path)): no file")
        }
        return Int(status.st_size)
    }
}
