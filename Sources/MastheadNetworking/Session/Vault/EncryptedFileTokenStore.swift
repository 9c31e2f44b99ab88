import FoundationEssentials
import MastheadLock
import MastheadTransport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Keeps a session's tokens in an encrypted file.
///
/// ```swift
/// let store = EncryptedFileTokenStore(path: folder + "session.tokens", key: .file(keys + "session.key"))
/// ```
///
/// The file is sealed with AES-256-GCM under a key from a file, a passphrase or the desktop's Secret Service
/// (``TokenFileKey``). It has mode 0600, and appears by a rename: after a crash or a power cut there is the old one or the
/// new one. A changed byte, its header's too, is found out; a file that cannot be opened is never removed or overwritten:
/// ``load()`` and ``save(_:)`` end in ``TokenStoreError/wrongKey``, ``TokenStoreError/damaged(reason:)`` or
/// ``TokenStoreError/missingKey(reason:)``, and ``remove()`` makes room for another.
///
/// What is not found out is an older file of the same key in the place of the newer one: a server that gives each refresh
/// token once (RFC 9700, section 4.14.2) finds that out. See <doc:KeepingTokens>.
///
/// Several processes may have stores of one file: the last one to save counts. Every method is safe to call from any task;
/// one of them works at a time; files are read and written, and keys made, on threads of the library's own.
public final class EncryptedFileTokenStore: TokenStore {
    private let path: String
    private let syncFolder: @Sendable (Int32) -> Int32
    private let keys: Lock<TokenFileKeys>
    /// Held for as long as a method works, by threads of its own: what is read is opened with the keys of that moment.
    ///
    /// It says whether one does; of a lock without a value the thread sanitizer reports races that are none.
    private let turn = Lock(false)

    /// Makes a store; nothing is read or written before it is used.
    ///
    /// - Parameters:
    ///   - path: The file, in a folder that exists and is only the app's to write. Beside it is an empty lock file.
    ///   - key: Where the key comes from; one key for one file.
    public convenience init(path: String, key: TokenFileKey) {
        self.init(path: path, key: key) { fsync($0) }
    }

    /// The same on a disk of a test's own.
    package init(path: String, key: TokenFileKey, syncFolder: @escaping @Sendable (Int32) -> Int32) {
        self.path = path
        self.syncFolder = syncFolder
        keys = Lock(TokenFileKeys(key))
    }

    /// The credentials in the file; `nil` if there is no file.
    public func load() async throws(TokenStoreError) -> SessionCredentials? {
        try await work { (file, keys) throws(TokenStoreError) in
            guard let content = try file.read(atMost: TokenFileSeal.maximumSize) else { return nil }
            let header = try TokenFileHeader(of: content)
            return try keys.seal(opening: header).open(content, header)
        }
    }

    /// Writes the credentials, in the place of those that are there.
    ///
    /// - Throws: What keeps the present file from being opened, so that nothing is lost that could have been saved.
    public func save(_ credentials: SessionCredentials) async throws(TokenStoreError) {
        try await work { (file, keys) throws(TokenStoreError) in
            try file.withLock { () throws(TokenStoreError) in
                file.removeLeftovers()
                var present: TokenFileHeader?
                if let content = try file.read(atMost: TokenFileSeal.maximumSize) {
                    let header = try TokenFileHeader(of: content)
                    _ = try keys.seal(opening: header).open(content, header)
                    present = header
                }
                try file.replace(with: try keys.sealForWriting(over: present).seal(credentials))
            }
        }
    }

    /// Removes the file, whatever it holds; the key stays.
    public func remove() async throws(TokenStoreError) {
        try await work { (file, _) throws(TokenStoreError) in
            try file.withLock { () throws(TokenStoreError) in
                file.removeLeftovers()
                try file.remove()
            }
        }
    }

    /// Seals the file anew under another key, which this store then uses.
    ///
    /// After a crash the file has one of both keys: keep the old one until this has returned. Another store of the same
    /// file then ends in ``TokenStoreError/wrongKey``. The old key is not removed.
    ///
    /// - Throws: What keeps the file from being opened, or the new key from being had; then the old one still holds. Or that
    ///   the disk has not confirmed the change: then the file has the new key, and the store uses it; keep both.
    public func rotate(to key: TokenFileKey) async throws(TokenStoreError) {
        try await work { (file, keys) throws(TokenStoreError) in
            var next = TokenFileKeys(key)
            try next.check(for: file)
            try file.withLock { () throws(TokenStoreError) in
                file.removeLeftovers()
                guard let content = try file.read(atMost: TokenFileSeal.maximumSize) else {
                    keys = next
                    return
                }
                let header = try TokenFileHeader(of: content)
                let credentials = try keys.seal(opening: header).open(content, header)
                // The key that the file has is not made anew either.
                let seal = try next.sealForWriting(over: key == keys.source ? header : nil)
                guard seal.keyID != header.keyID else {
                    throw .inaccessible(reason: "the key to rotate to is the one that the file has")
                }
                try file.replace(with: try seal.seal(credentials)) { keys = next }
            }
        }
    }

    /// Does what may block on a thread of its own, one after another, and keeps the keys as it left them.
    private func work<Output: Sendable>(
        _ body: @escaping @Sendable (PrivateFile, inout TokenFileKeys) throws(TokenStoreError) -> Output
    ) async throws(TokenStoreError) -> Output {
        let (path, syncFolder, keys, turn, cancellation) = (path, syncFolder, keys, turn, Cancellation())
        let result = await withTaskCancellationHandler {
            await OwnThread.run {
                turn.withLock { isTaken in
                    isTaken = true
                    defer { isTaken = false }
                    var current = keys.withLock { $0 }
                    current.cancellation = cancellation
                    let result = Result { () throws(TokenStoreError) in
                        let file = try PrivateFile(path, syncFolder: syncFolder)
                        try current.check(for: file)
                        return try body(file, &current)
                    }
                    current.cancellation = nil
                    let used = current
                    keys.withLock { $0 = used }
                    return result
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }
}

extension EncryptedFileTokenStore: CustomStringConvertible, CustomReflectable {
    /// The path and the kind of the key.
    public var description: String { "\(path), \(keys.withLock { $0.source })" }

    /// What a dump or a debugger shows: the same.
    public var customMirror: Mirror { Mirror(reflecting: description) }
}
