#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Reads a regular file of bounded size, no device and no pipe, which could give no end of it; this blocks.
enum SmallFile {
    /// Why a file could not be read, to go behind its name.
    struct Failure: Error {
        let text: String
    }

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
}
