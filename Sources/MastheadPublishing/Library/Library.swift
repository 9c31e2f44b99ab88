public import FoundationEssentials
import MastheadLock
package import MastheadSQLite

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Everything a reader app keeps of a publisher's catalogue: in one folder, searchable, offline.
///
/// ```swift
/// let library = try await Library(directory: folder, catalogue: Catalogue(configuration: .production))
///
/// try await library.add(volume: "v1")
/// let contents = try await library.articles.inIssue(issue.id).page(1)
/// for await issues in library.observe(library.issues.ofVolume("v1").newest()) { show(issues) }
/// ```
///
/// Models are values: what is read from a library is a copy, and changing it changes nothing. Every method may be called
/// from any task. What one call of ``apply(_:)-(LibraryChanges)`` does is done whole or not at all, and is on disk when it
/// returns. Several libraries, in this process and in others, may stand on one folder; no path is stored in it, so it may
/// be moved while nobody has it open. See <doc:KeepingALibrary>.
///
/// ## Topics
///
/// ### Opening
/// - ``init(directory:catalogue:shrinkage:)``
/// - ``close()``
/// - ``setDamagedAside(in:)``
///
/// ### Bringing it up to date
/// - ``refresh()``
/// - ``add(volume:)``
/// - ``add(issue:withArticles:)``
/// - ``add(article:)``
/// - ``addAllVolumes(page:limit:)``
/// - ``addAllIssues(_:page:limit:since:withArticles:)``
/// - ``addAllArticles(_:page:limit:since:)``
/// - ``addAllArticles(where:equals:page:limit:)``
/// - ``fetchFile(of:_:)``
/// - ``SyncReport``
/// - ``ShrinkagePolicy``
///
/// ### Changing
/// - ``apply(_:)-(LibraryChanges)``
/// - ``LibraryChanges``
///
/// ### Reading
/// - ``volumes``
/// - ``issues``
/// - ``articles``
/// - ``assets``
/// - ``LibraryQuery``
///
/// ### Indexing later
/// - ``buildIndex(onProgress:)``
/// - ``indexState()``
/// - ``IndexState``
///
/// ### Observing
/// - ``observe(_:)``
///
/// ### Errors
/// - ``LibraryError``
public final class Library: Sendable {
    /// The folder it is in.
    public let directory: URL

    let catalogue: Catalogue?
    let shrinkage: ShrinkagePolicy
    let database: Database
    let broadcaster = LibraryBroadcaster()
    let whenInTransaction: (@Sendable (_ isOpen: Bool) -> Void)?

    /// Opens the library of a folder, and makes both if they are not there.
    ///
    /// What a later version of the app has made is left alone, and so is what cannot be read: see ``LibraryError``.
    ///
    /// - Parameters:
    ///   - directory: The folder; its parent must be there. Made with mode 0700. Nothing else may be in it.
    ///   - catalogue: What it is brought up to date from; `nil` for one that is only read, or written by the app alone.
    ///   - shrinkage: When a list that came back shorter is believed.
    /// - Throws: ``LibraryError/unavailable(reason:)`` for a folder that cannot be used, and whatever else keeps the file from
    ///   being opened or brought to the present form.
    public convenience init(
        directory: URL,
        catalogue: Catalogue? = nil,
        shrinkage: ShrinkagePolicy = .keeps
    ) async throws(LibraryError) {
        try await self.init(
            directory: directory,
            catalogue: catalogue,
            shrinkage: shrinkage,
            schema: LibrarySchema.schema
        )
    }

    /// Opens a library with the steps of its schema that are given: for the test of each.
    ///
    /// `whenInTransaction` is told when one has begun and before it is committed, for those that kill it there.
    package init(
        directory: URL,
        catalogue: Catalogue? = nil,
        shrinkage: ShrinkagePolicy = .keeps,
        schema: Schema = LibrarySchema.schema,
        whenInTransaction: (@Sendable (_ isOpen: Bool) -> Void)? = nil
    ) async throws(LibraryError) {
        guard directory.isFileURL else { throw .unavailable(reason: "the directory is no file URL") }
        self.directory = directory
        self.catalogue = catalogue
        self.shrinkage = shrinkage
        self.whenInTransaction = whenInTransaction
        let path = Self.path(of: directory)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw .unavailable(reason: "the folder cannot be made (errno \(errno)): is its parent there?")
        }
        var options = DatabaseOptions()
        // Rows of some KB pack better on bigger pages.
        options.pageSize = 8192
        options.cacheKiB = 8192
        database = Database(path: path + "/library.db", schema: schema, options: options)
        do throws(DatabaseError) {
            try await database.prepare()
        } catch {
            throw LibraryError(error)
        }
        database.onChange { [broadcaster] _ in broadcaster.changed(.all) }
        // What a process left behind that ended between a commit and the removal of files.
        try await removeDoomedFiles()
    }

    /// Ends all observation, and leaves one file with everything in it.
    ///
    /// Afterwards everything throws ``LibraryError/closed``.
    public func close() async {
        broadcaster.end()
        await database.close()
    }

    /// Moves a library's file aside if it is damaged, with all that can be saved of it, and begins an empty one in its place.
    ///
    /// After ``LibraryError/damaged(reason:)`` was thrown. Nothing is wiped: the first and the last damaged files are kept.
    /// What the publisher has is there again after the next sync.
    ///
    /// - Parameter directory: The library's folder.
    /// - Returns: Where the damaged file is now; `nil` if there is nothing wrong with the one that is there.
    /// - Throws: What kept it from being looked at or moved.
    @discardableResult
    public static func setDamagedAside(in directory: URL) async throws(LibraryError) -> URL? {
        let database = Database(path: path(of: directory) + "/library.db", schema: LibrarySchema.schema)
        do throws(DatabaseError) {
            do throws(DatabaseError) {
                try await database.checkIntegrity()
                await database.close()
                return nil
            } catch .damaged {
                let quarantine = try await database.quarantine()
                await database.close()
                return quarantine.map { URL(filePath: $0.path) }
            }
        } catch {
            throw LibraryError(error)
        }
    }

    /// The path of a file URL, without a slash at its end.
    static func path(of url: URL) -> String {
        let path = url.path(percentEncoded: false)
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    // MARK: The way to the database

    /// Reads from one snapshot: at once where a connection is free, else on a thread of the database's own.
    func read<Output: Sendable>(_ body: @escaping Database.Job<Output>) async throws(LibraryError) -> Output {
        do throws(DatabaseError) {
            if let output = try database.readNow(body) { return output }
            return try await database.read(body)
        } catch {
            throw LibraryError(error)
        }
    }

    /// Does the same without waiting for the disk to open a connection at once.
    func look<Output: Sendable>(_ body: @escaping Database.Job<Output>) async throws(LibraryError) -> Output {
        do throws(DatabaseError) {
            if let output = try database.readNow(mayOpen: false, body) { return output }
        } catch {
            throw LibraryError(error)
        }
        return try await read(body)
    }

    /// Reads as much as there is, on a thread of the database's own.
    func readAll<Output: Sendable>(_ body: @escaping Database.Job<Output>) async throws(LibraryError) -> Output {
        do throws(DatabaseError) {
            return try await database.read(body)
        } catch {
            throw LibraryError(error)
        }
    }
}
