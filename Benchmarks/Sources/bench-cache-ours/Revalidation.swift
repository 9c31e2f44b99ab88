import BenchmarkSide
import FoundationEssentials
import MastheadNetworking

/// Asks again and again for a list that is kept and may not be served unasked; the server's part is played in memory.
struct Revalidation: Sendable {
    private let workload: CacheWorkload
    private let place: Place
    private let repository: ListRepository
    private let bytes: Int

    /// - Parameters:
    ///   - workload: How often, and where.
    ///   - answersAnew: Whether each answer is another, with its body, instead of a 304.
    /// - Throws: What kept it from being made.
    init(_ workload: CacheWorkload, answersAnew: Bool) throws {
        self.workload = workload
        place = try Place(workload.place, memoryLimit: 16 << 20)
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .withoutEscapingSlashes
        let body = try encoder.encode((0..<200).map(Article.long))
        bytes = body.count
        repository = ListRepository(
            configuration: Place.configuration,
            cache: place.cache,
            executor: Origin(body: body, answersAnew: answersAnew)
        )
    }

    func run() async throws -> SideResult {
        for _ in 0..<3 { try await ask() }
        try await place.partition.flush()
        let counter = try CommitCounter(in: workload.place)
        let commitsBefore = counter.count
        var latencies: [UInt64] = []
        latencies.reserveCapacity(workload.count)
        let span = Span()
        for _ in 0..<workload.count {
            let start = monotonicNanoseconds()
            try await ask()
            latencies.append(monotonicNanoseconds() - start)
        }
        try await place.partition.flush()
        var result = span.result(of: latencies, bytes: bytes)
        result.commits = counter.count - commitsBefore
        try await place.cache.close()
        return result
    }

    private func ask() async throws {
        let list = try await repository.list().get()
        guard list.count == 200 else { throw Missing(key: "list") }
    }
}

/// A repository of one list.
final class ListRepository: AbstractRepository, @unchecked Sendable {
    func list() async -> Result<[Article], RepositoryError> {
        await perform(.get("articles"))
    }
}

/// Answers from memory as an origin server would that wants to be asked each time.
private struct Origin: RequestExecutor {
    let body: Data
    let answersAnew: Bool

    func execute(
        _ request: HTTPRequest,
        _ configuration: NetworkingConfiguration
    ) async throws(RepositoryError) -> HTTPResponse {
        let isKnown = request.headers["If-None-Match"] != nil
        var headers: HTTPHeaders = [
            "Cache-Control": "no-cache", "ETag": "\"a1b2c3\"", "Content-Type": "application/json",
        ]
        if isKnown, !answersAnew { return HTTPResponse(status: 304, headers: headers, url: request.url) }
        if answersAnew { headers["ETag"] = "\"\(monotonicNanoseconds())\"" }
        return HTTPResponse(status: 200, headers: headers, body: body, url: request.url)
    }
}
