import FoundationEssentials
import MastheadCrypto

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A small private file that is read whole and replaced whole; everything here may block.
struct PrivateFile: Sendable {
    let path: String
    /// The folder it is in, with a slash at its end.
    private let folder: String
    /// Its name in the folder.
    let name: String
    /// Waits until the change of an open folder is on the disk, as `fsync` does.
    private let syncFolder: @Sendable (Int32) -> Int32

    init(
        _ path: String,
        syncFolder: @escaping @Sendable (Int32) -> Int32 = { fsync($0) }
    ) throws(TokenStoreError) {
        // C takes a NUL for the end, and would write another file.
        guard !path.isEmpty, !path.utf8.contains(0), path.utf8.last != UInt8(ascii: "/") else {
            throw .inaccessible(reason: "the path is none of a file")
        }
        self.path = path
        self.syncFolder = syncFolder
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        folder = slash.map { String(path[...$0]) } ?? "./"
        name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    /// Whether a path is this file's, whether there is one or not: the same name in the same folder.
    func isAt(_ other: String) -> Bool {
        guard let other = try? PrivateFile(other), other.name == name else { return false }
        var (own, others) = (stat(), stat())
        guard stat(folder, &own) == 0, stat(other.folder, &others) == 0 else { return false }
        return own.st_dev == others.st_dev && own.st_ino == others.st_ino
    }

    /// The error of the system call that just failed.
    func failure(_ what: String) -> TokenStoreError {
        .inaccessible(reason: "\(name) \(what): \(String(cString: strerror(errno)))")
    }

    // MARK: Reading

    /// All bytes of the file; `nil` if there is none.
    func read(atMost limit: Int) throws(TokenStoreError) -> [UInt8]? {
        guard let descriptor = try openForReading() else { return nil }
        defer { close(descriptor) }
        return try read(descriptor, atMost: limit)
    }

    /// Opens the file, if it is one and no link to one; `nil` if there is none.
    func openForReading() throws(TokenStoreError) -> Int32? {
        // Without O_NONBLOCK a pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor < 0 else { return descriptor }
        if errno == ENOENT { return nil }
        if errno == ELOOP { throw .inaccessible(reason: "\(name) is a symbolic link: name the file itself") }
        throw failure("cannot be read")
    }

    /// All bytes of an open file.
    func read(_ descriptor: Int32, atMost limit: Int) throws(TokenStoreError) -> [UInt8] {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("cannot be read") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .inaccessible(reason: "\(name) is no file") }
        guard status.st_size <= limit else { throw .damaged(reason: "it is longer than any it could be") }
        // One more, so that a file that grows meanwhile is not taken for whole.
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count < bytes.count {
            let read = bytes.withUnsafeMutableBytes { memory in
                pread(descriptor, memory.baseAddress.map { $0 + count }, memory.count - count, off_t(count))
            }
            if read == 0 { break }
            if read > 0 {
                count += read
            } else if errno != EINTR {
                throw failure("cannot be read")
            }
        }
        guard count <= limit else { throw .damaged(reason: "it is longer than any it could be") }
        defer { bytes.withUnsafeMutableBytes { SecretBytes.wipe($0) } }
        return Array(bytes[..<count])
    }

    // MARK: Writing

    /// Puts bytes in the place of what is there: by a rename, so that everybody sees all of it or nothing.
    ///
    /// - Parameters:
    ///   - bytes: What the file holds then.
    ///   - placed: Runs once they are in the file, even if the disk then does not confirm it and an error is thrown.
    /// - Throws: ``TokenStoreError/inaccessible(reason:)`` if it cannot be put there, or is not confirmed.
    func replace(with bytes: some Collection<UInt8>, placed: () -> Void = {}) throws(TokenStoreError) {
        let folder = try openFolder()
        defer { close(folder) }
        let temporary = try writeBeside(bytes)
        guard rename(temporary, path) == 0 else {
            let error = failure("cannot be put into its place")
            unlink(temporary)
            throw error
        }
        placed()
        try sync(folder)
    }

    /// Makes the file, unless there is one: then it stays as it is.
    func create(with bytes: some Collection<UInt8>) throws(TokenStoreError) {
        let folder = try openFolder()
        defer { close(folder) }
        let temporary = try writeBeside(bytes)
        defer { unlink(temporary) }
        guard link(temporary, path) == 0 || errno == EEXIST else { throw failure("cannot be made") }
        try sync(folder)
    }

    /// Removes the file, if there is one.
    func remove() throws(TokenStoreError) {
        let folder = try openFolder()
        defer { close(folder) }
        guard unlink(path) == 0 || errno == ENOENT else { throw failure("cannot be removed") }
        try sync(folder)
    }

    /// Removes what a process left that was ended while it wrote; only while ``withLock(_:)`` holds.
    func removeLeftovers() {
        for entry in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where isTemporary(entry) {
            unlink(folder + entry)
        }
    }

    /// Whether a name is one of ``writeBeside(_:)`` for this very file.
    private func isTemporary(_ entry: String) -> Bool {
        guard entry.hasPrefix(temporaryPrefix), entry.hasSuffix(".tmp") else { return false }
        let number = entry.utf8.dropFirst(temporaryPrefix.utf8.count).dropLast(4)
        return !number.isEmpty && number.allSatisfy(\.isDigit)
    }

    /// Keeps other processes, and other stores of this one, from changing the file meanwhile.
    ///
    /// Over a file of its own, which stays: one that is replaced cannot be locked.
    func withLock<Result>(_ body: () throws(TokenStoreError) -> Result) throws(TokenStoreError) -> Result {
        let descriptor = open("\(folder).\(name).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("cannot be locked") }
        // Closing it unlocks.
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failure("cannot be locked") }
        }
        return try body()
    }

    private var temporaryPrefix: String { ".\(name)." }

    /// Writes a new file beside it that nobody else may read, and waits until it is on the disk.
    private func writeBeside(_ bytes: some Collection<UInt8>) throws(TokenStoreError) -> String {
        let temporary = "\(folder)\(temporaryPrefix)\(UInt64.random(in: .min ... .max)).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("cannot be written") }
        defer { close(descriptor) }
        // Whatever the process's mask took away.
        guard fchmod(descriptor, 0o600) == 0, write(bytes, to: descriptor), fsync(descriptor) == 0 else {
            let error = failure("cannot be written")
            unlink(temporary)
            throw error
        }
        return temporary
    }

    private func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { pwriteAll(descriptor, $0) }
            guard count > 0 || count < 0 && errno == EINTR else { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }

    private func pwriteAll(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
        Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
        Musl.write(descriptor, bytes.baseAddress, bytes.count)
        #else
        Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }

    /// Opens the folder; before anything in it is changed, since a change that cannot be confirmed is better not made.
    private func openFolder() throws(TokenStoreError) -> Int32 {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("has a folder that cannot be read") }
        return descriptor
    }

    /// Waits until the folder's own change is on the disk; a file system that cannot say is believed.
    private func sync(_ folder: Int32) throws(TokenStoreError) {
        guard syncFolder(folder) == 0 || errno == EINVAL || errno == ENOTSUP else {
            throw failure("has a folder that cannot be written")
        }
    }
}
