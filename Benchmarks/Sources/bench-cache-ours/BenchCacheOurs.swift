import BenchmarkSide
import FoundationEssentials
import MastheadNetworking

/// Masthead's cache, as an app uses it: one cache in a folder, and the part of it that belongs to nobody.
@main
enum BenchCacheOurs {
    static func main() async {
        await SideProcess.runCache(measure)
    }

    /// Off the main actor, as a repository does its work.
    @concurrent
    private static func measure(_ workload: CacheWorkload) async throws -> SideResult {
        switch workload.task {
        case .fill: try await Writing(workload).fill()
        case .memory: try await Reading(workload, memoryLimit: 16 << 20).memory()
        case .read: try await Reading(workload).payloads()
        case .get: try await Reading(workload).values()
        case .set: try await Writing(workload).oneByOne()
        case .insert: try await Writing(workload).atOnce()
        case .readers: try await Readers(workload).run()
        case .open: try await Reading.open(workload)
        case .revalidate: try await Revalidation(workload, answersAnew: false).run()
        case .refetch: try await Revalidation(workload, answersAnew: true).run()
        case .check: throw Missing(key: "the floor checks files")
        }
    }
}
