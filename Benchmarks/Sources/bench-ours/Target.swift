import BenchmarkSide
import FoundationEssentials
import MastheadNetworking

/// Where a workload's requests go, as this library's words have it.
struct Target: Sendable {
    let url: URL
    let configuration: NetworkingConfiguration
    let path: RequestPath
    /// The server's small file.
    let smallPath: RequestPath = "small.json"

    /// Sees every call of the pipeline's task, as the observer of an app that wants metrics.
    let meter = Meter()

    init(_ workload: Workload) throws {
        guard let url = URL(string: workload.url), let host = url.host() else {
            throw RepositoryError.invalidURL(reason: workload.url)
        }
        self.url = url
        path = RequestPath(segments: workload.url.split(separator: "/").dropFirst(2).map(String.init))
        let pins = workload.task == .pinned ? try Self.pins(in: workload.file) : []
        configuration = NetworkingConfiguration(domainURL: host, port: url.port) { [meter] in
            $0.useSecureConnection = url.scheme == "https"
            $0.certificateAuthorityFile = workload.authorities
            $0.maximumBodySize = 1 << 30
            if workload.task != .cold { $0.maximumConnectionsPerHost = workload.concurrency }
            if workload.task == .pipeline { $0.observer = meter }
            if workload.task == .pinned { $0.pinning = .publicKeys(pins) }
        }
    }

    private static func pins(in file: String?) throws -> [String] {
        guard let file else { throw RepositoryError.fileAccess(reason: "no file with pins") }
        return try String(decoding: Data(contentsOf: URL(filePath: file)), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }
}
