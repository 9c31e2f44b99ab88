import BenchmarkSide
import MastheadNetworking

/// A cache in the workload's folder.
struct Place: Sendable {
    let cache: ModelCache
    let partition: CachePartition

    /// Makes it; the file is opened by the first call.
    ///
    /// - Parameters:
    ///   - folder: The cache's folder.
    ///   - memoryLimit: What values in memory may cost; 0 has every reading come from the disk.
    /// - Throws: What kept it from being made.
    init(_ folder: String, memoryLimit: Int) throws(CacheError) {
        var options = ModelCache.Options()
        options.memoryLimit = memoryLimit
        // 100,000 entries are more than an app keeps; none of them shall go.
        options.diskLimit = 1 << 30
        cache = ModelCache(folder: folder, options: options)
        guard let partition = cache.partition(for: Self.configuration) else {
            throw .unavailable(reason: "no partition in \(folder)")
        }
        self.partition = partition
    }

    static let configuration = NetworkingConfiguration(domainURL: "api.example.com")
}

/// What a reading that must find something did not find.
struct Missing: Error {
    let key: String
}
