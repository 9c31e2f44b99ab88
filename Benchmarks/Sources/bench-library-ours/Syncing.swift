import BenchmarkSide
import FoundationEssentials
import MastheadNetworking
import MastheadPublishing

/// Brings a library up to date from a server.
struct Syncing: Sendable {
    private let workload: LibraryWorkload
    private let library: Library

    init(_ workload: LibraryWorkload) async throws {
        self.workload = workload
        guard let url = URL(string: workload.source), let host = url.host else { throw Wrong(what: "no URL") }
        let configuration = NetworkingConfiguration(domainURL: host, port: url.port) {
            $0.useSecureConnection = false
            $0.clientKey = "key"
        }
        library = try await Library(
            directory: URL(filePath: workload.place),
            catalogue: Catalogue(configuration: configuration)
        )
    }

    /// Everything, into an empty library.
    func sync() async throws -> SideResult {
        let span = Span()
        let start = monotonicNanoseconds()
        let report = try await library.addAllVolumes()
        var result = span.result(of: [monotonicNanoseconds() - start], count: report.articles.count, bytes: 0)
        guard report.articles.count == SyncCorpus.articles, report.issues.count == SyncCorpus.issues,
            report.volumes.count == SyncCorpus.volumes,
            report.assets.count == SyncCorpus.articles * 2 + SyncCorpus.issues
        else { throw Wrong(what: "not everything came") }
        await library.close()
        result.codingMicroseconds = try decoding() / Double(report.articles.count)
        return result
    }

    /// What has changed, which is nothing: three requests, and nothing is written.
    func deltaSync() async throws -> SideResult {
        _ = try await library.addAllVolumes()
        var latencies: [UInt64] = []
        let span = Span()
        for _ in 0..<workload.count {
            let start = monotonicNanoseconds()
            let report = try await library.addAllVolumes()
            latencies.append(monotonicNanoseconds() - start)
            guard report.isEmpty, report.requestCount == 3 else { throw Wrong(what: "\(report.requestCount) requests") }
        }
        let result = span.result(of: latencies, bytes: 0)
        await library.close()
        return result
    }

    /// What the decoder takes by itself for all that came, in microseconds: the same decoder, the same models.
    private func decoding() throws -> Double {
        let decoder = MastheadDecoder()
        let issues = (0..<SyncCorpus.issues).map(SyncCorpus.issue)
        let bodies = [
            try JSONEncoder().encode(["issues": issues]),
            try JSONEncoder().encode(["volumes": SyncCorpus.allVolumes]),
        ]
        let articles = try stride(from: 0, to: SyncCorpus.articles, by: 50).map { first in
            try JSONEncoder().encode(["articles": (first..<first + 50).map(SyncCorpus.article)])
        }
        let assets = try stride(from: 0, to: SyncCorpus.articles * 2, by: 50).map { first in
            try JSONEncoder().encode(["media": (first..<first + 50).map(SyncCorpus.asset)])
        }
        let start = monotonicNanoseconds()
        _ = try decoder.decode([String: [Issue]].self, from: bodies[0], DecodingOptions())
        _ = try decoder.decode([String: [Volume]].self, from: bodies[1], DecodingOptions())
        for body in articles { _ = try decoder.decode([String: [Article]].self, from: body, DecodingOptions()) }
        for body in assets { _ = try decoder.decode([String: [Asset]].self, from: body, DecodingOptions()) }
        return Double(monotonicNanoseconds() - start) / 1000
    }
}
