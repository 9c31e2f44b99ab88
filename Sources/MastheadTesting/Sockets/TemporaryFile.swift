import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A file that only its owner may read, until its end of life.
final class TemporaryFile: Sendable {
    let path: String

    /// Makes the file; one that is there already is left alone, whoever's it is.
    init(named name: String, containing text: String) throws(ScriptedServerError) {
        path = FileManager.default.temporaryDirectory.appending(path: name).path(percentEncoded: false)
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(operation: "open", code: errno) }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else {
            let code = errno
            unlink(path)
            throw .system(operation: "write", code: code)
        }
    }

    deinit {
        remove()
    }

    /// Removes the file; doing it again does nothing.
    func remove() {
        unlink(path)
    }
}
