import BenchmarkSide
import MastheadPublishing

/// Masthead's library, as an app uses it.
@main
enum BenchLibraryOurs {
    static func main() async {
        await SideProcess.runLibrary(measure)
    }

    /// Off the main actor, as a model does its work.
    @concurrent
    private static func measure(_ workload: LibraryWorkload) async throws -> SideResult {
        switch workload.task {
        case .make: try await Writing(workload).make()
        case .makeEmpty: try await Writing(workload).makeEmpty()
        case .fill: try await Writing(workload).fill()
        case .insert: try await Writing(workload).insert(.later)
        case .insertIndexed: try await Writing(workload).insert(.atOnce)
        case .byID: try await Reading(workload).byID()
        case .page: try await Reading(workload).pages()
        case .search: try await Reading(workload).search("lantern")
        case .searchCommon: try await Reading(workload).search("harbour")
        case .readers: try await Readers(workload).run()
        case .observe: try await Observing(workload).run()
        case .record: try await Recorder(workload.source).record()
        case .sync: try await Syncing(workload).sync()
        case .deltaSync: try await Syncing(workload).deltaSync()
        case .check, .checkIndexed, .checkSync: throw Wrong(what: "the floor checks files")
        }
    }
}

/// The name stands for an article of the library here, and not for what the other areas decode.
typealias Article = MastheadPublishing.Article

/// What is not as it must be.
struct Wrong: Error {
    let what: String
}
