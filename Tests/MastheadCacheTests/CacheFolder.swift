import FoundationEssentials
import MastheadNetworking
import MastheadSQLite
import MastheadTesting
import Testing

/// A folder of a test's own, and a cache in it; both go with the test.
final class CacheFolder: Sendable {
    let path: String
    let cache: ModelCache
    let clock: ManualClock
    private let isOwner: Bool

    convenience init(_ configure: (inout ModelCache.Options) -> Void = { _ in }) throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "masthead-cache-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        self.init(path: path, isOwner: true, ManualClock(), configure)
    }

    private init(
        path: String,
        isOwner: Bool,
        _ clock: ManualClock,
        _ configure: (inout ModelCache.Options) -> Void
    ) {
        self.path = path
        self.isOwner = isOwner
        self.clock = clock
        var options = ModelCache.Options()
        options.time = clock
        configure(&options)
        cache = ModelCache(folder: path + "/cache", options: options)
    }

    deinit {
        if isOwner { try? FileManager.default.removeItem(atPath: path) }
    }

    /// The same folder as after the app's next start.
    func restarted(_ configure: (inout ModelCache.Options) -> Void = { _ in }) -> CacheFolder {
        CacheFolder(path: path, isOwner: false, clock, configure)
    }

    func partition(_ session: (any RepositorySession)? = nil) throws -> CachePartition {
        try #require(cache.partition(for: Self.configuration, session: session))
    }

    static let configuration = NetworkingConfiguration(domainURL: "api.example.com", subdomainURL: "/v2")

    /// The names of all files of the cache.
    var files: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path + "/cache")) ?? [] }
}

extension CacheFolder {
    /// An environment on the folder's clock.
    func configuration(_ configure: (inout NetworkingConfiguration) -> Void = { _ in }) -> NetworkingConfiguration {
        NetworkingConfiguration(domainURL: "api.example.com", subdomainURL: "/v2") {
            $0.time = clock
            configure(&$0)
        }
    }

    /// A repository with the cache.
    func issues(_ executor: any RequestExecutor, session: (any RepositorySession)? = nil) -> IssueRepository {
        IssueRepository(configuration: configuration(), session: session, cache: cache, executor: executor)
    }
}

extension CacheFolder {
    /// Changes the only file by a statement, as somebody else would; the cache must be closed.
    func change(_ statement: String) async throws {
        let file = try #require(files.first { $0.hasSuffix(".cache") })
        let database = Database(path: "\(path)/cache/\(file)")
        let count = try await database.write { (connection) throws(DatabaseError) in
            try connection.run(.dynamic(statement))
            return connection.changeCount
        }
        #expect(count > 0, "the statement changed nothing")
        await database.close()
    }

    /// Runs statements on the only file while the cache has it open, as another program would.
    func remove(_ statements: String, from table: String) async throws {
        let file = try #require(files.first { $0.hasSuffix(".cache") })
        let database = Database(path: "\(path)/cache/\(file)")
        try await database.write { (connection) throws(DatabaseError) in
            try connection.execute(.dynamic(statements))
            #expect(try connection.value(.dynamic("SELECT count(*) FROM \(table)")) == 0)
        }
        await database.close()
    }
}
