public import FoundationEssentials
import MastheadCrypto
import MastheadSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension Library {
    /// The folder of the files of assets.
    var filesPath: String { Self.path(of: directory) + "/files" }

    /// Where a file of an asset is; `nil` if there is none.
    ///
    /// The place holds until the file is replaced or removed, or the folder is moved: ask again, and keep only the id.
    @concurrent
    public func file(of asset: Asset.ID, _ role: AssetRole = .original) async throws(LibraryError) -> URL? {
        try await storedFile(of: asset, role)?.url
    }

    /// Where a file of an asset is, and whether the asset was changed since the file was fetched.
    func storedFile(
        of asset: Asset.ID,
        _ role: AssetRole
    ) async throws(LibraryError) -> (url: URL, isOutdated: Bool)? {
        let path = filesPath
        return try await read { connection throws(DatabaseError) in
            try connection.first(
                """
                SELECT f.name, coalesce(a.updated > f.updated, 0)
                FROM asset_file f LEFT JOIN asset a ON a.id = f.asset WHERE f.asset = ? AND f.role = ?
                """,
                asset.rawValue,
                role.rawValue
            ) { row in
                (URL(filePath: "\(path)/\(row[0] as String)"), row[1])
            }
        }
    }

    /// Takes a file for an asset's, in place of one that was there.
    ///
    /// The file is moved into the library, under a name that no other asset's can have, and belongs to it from then on. What
    /// was there before goes after the commit.
    ///
    /// - Parameters:
    ///   - file: A file on the same volume as the library; no folder, and no link.
    ///   - asset: An asset in the library.
    ///   - role: Which of its files.
    /// - Throws: ``LibraryError/unavailable(reason:)`` if there is no such file, or no such asset; the file is where it was
    ///   then.
    @concurrent
    public func take(
        _ file: URL,
        for asset: Asset.ID,
        _ role: AssetRole = .original
    ) async throws(LibraryError) {
        try await take(file, for: asset, role, from: nil)
    }

    /// The same, of a file that was fetched when the asset had last been changed at a time.
    func take(
        _ file: URL,
        for asset: Asset.ID,
        _ role: AssetRole,
        from updated: Date?
    ) async throws(LibraryError) {
        let (folder, source) = (filesPath, Self.path(of: file))
        guard file.isFileURL else { throw .unavailable(reason: "what was to be taken is no file URL") }
        guard Self.isFile(source) else {
            throw .unavailable(reason: "there is no such file, or it is a folder or a link (errno \(errno))")
        }
        let name = try Self.fileName(asset, role, extension: file.pathExtension)
        let refusal: String?
        do throws(DatabaseError) {
            refusal = try await database.write { connection throws(DatabaseError) in
                guard try connection.asset(asset) != nil else { return "there is no such asset" }
                mkdir(folder, 0o700)
                let isDone = rename(source, "\(folder)/\(name)") == 0
                // A job may run twice: then the file is where it belongs already.
                guard isDone || access("\(folder)/\(name)", F_OK) == 0 else {
                    return "the file cannot be moved (errno \(errno))"
                }
                try connection.run(
                    "INSERT OR IGNORE INTO doomed_file SELECT name FROM asset_file WHERE asset = ? AND role = ?",
                    asset.rawValue,
                    role.rawValue
                )
                try connection.run(
                    "INSERT OR REPLACE INTO asset_file (asset, role, name, updated) VALUES (?, ?, ?, ?)",
                    asset.rawValue,
                    role.rawValue,
                    name,
                    updated?.column
                )
                return nil
            }
        } catch {
            _ = rename("\(folder)/\(name)", source)
            throw LibraryError(error)
        }
        if let refusal { throw .unavailable(reason: refusal) }
        broadcaster.changed(.assets)
        try? await removeDoomedFiles()
    }

    private static func isFile(_ path: String) -> Bool {
        errno = 0
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// A name that tells nothing, and that no other asset's file has: neither another's of the same last path component, nor
    /// an earlier one of this.
    private static func fileName(
        _ asset: Asset.ID,
        _ role: AssetRole,
        extension suffix: String
    ) throws(LibraryError) -> String {
        let isPlain =
            (1...8).contains(suffix.utf8.count)
            && suffix.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
            }
        do throws(CryptoError) {
            let digest = try Digest.sha256(asset.rawValue.utf8).bytes.prefix(16)
            let unique = try SecureRandom.bytes(count: 4)
            let digits = (digest + unique).map { byte in
                String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
            }
            return digits.joined() + (role == .thumbnail ? "-thumb" : "") + (isPlain ? "." + suffix.lowercased() : "")
        } catch {
            throw .unavailable(reason: "the system makes no digest: \(error)")
        }
    }

    /// Removes the files that a committed change left nobody to need.
    func removeDoomedFiles() async throws(LibraryError) {
        let folder = filesPath
        do throws(DatabaseError) {
            let names = try await database.read { connection throws(DatabaseError) in
                try connection.all("SELECT name FROM doomed_file") { row in row[0] as String }
            }
            guard !names.isEmpty else { return }
            // On the writer's own thread, since it may block; a file that is gone is as good as removed.
            try await database.write { connection throws(DatabaseError) in
                for name in names where unlink("\(folder)/\(name)") == 0 || errno == ENOENT {
                    try connection.run("DELETE FROM doomed_file WHERE name = ?", name)
                }
            }
        } catch {
            throw LibraryError(error)
        }
    }
}
