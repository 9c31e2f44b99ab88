import BenchmarkSide
import FoundationEssentials
import MastheadNetworking
import MastheadPublishing
import Synchronization

/// Writes what a publisher's server answers to the first sync of its catalogue: each answer into a file, named after the
/// list or the first id that is asked for.
struct Recorder: RequestExecutor {
    private let folder: URL

    init(_ folder: String) {
        self.folder = URL(filePath: folder)
    }

    /// Syncs once, and keeps the answers.
    func record() async throws -> SideResult {
        let span = Span()
        let start = monotonicNanoseconds()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let place = folder.appending(path: "library")
        let configuration = NetworkingConfiguration(domainURL: "api.example.org") { $0.clientKey = "key" }
        let catalogue = Catalogue(configuration: configuration, executor: self)
        let library = try await Library(directory: place, catalogue: catalogue)
        let report = try await library.addAllVolumes()
        guard report.articles.count == SyncCorpus.articles else {
            throw Wrong(what: "\(report.articles.count) articles")
        }
        await library.close()
        try FileManager.default.removeItem(at: place)
        return span.result(of: [monotonicNanoseconds() - start], count: report.requestCount, bytes: 0)
    }

    func execute(
        _ request: HTTPRequest,
        _ configuration: NetworkingConfiguration
    ) async throws(RepositoryError) -> HTTPResponse {
        do {
            let (name, body) = try answer(to: request.url)
            try body.write(to: folder.appending(path: name))
            return HTTPResponse(
                status: 200,
                headers: ["Content-Type": "application/json"],
                body: body,
                url: request.url
            )
        } catch {
            throw .invalidResponse(reason: "\(error)")
        }
    }

    private func answer(to url: URL) throws -> (name: String, body: Data) {
        let path = url.path(percentEncoded: false).split(separator: "/").map(String.init)
        let ids = path[1...].first?.split(separator: ",").map(String.init) ?? []
        switch path[0] {
        case "volumes": return ("volumes.json", try encoded("volumes", SyncCorpus.allVolumes, isLast: true))
        case "issues":
            let page = (url.query ?? "").hasSuffix("page=2") ? 1 : 0
            let issues = (page * 100..<page * 100 + 100).map(SyncCorpus.issue)
            return ("issues-\(page == 0 ? "" : "2").json", try encoded("issues", issues, isLast: page == 1))
        case "articles":
            return (
                "articles-\(ids[0]).json",
                try encoded("articles", ids.map { SyncCorpus.article(SyncCorpus.number(of: $0)) })
            )
        default:
            return (
                "media-\(ids[0]).json", try encoded("media", ids.map { SyncCorpus.asset(SyncCorpus.number(of: $0)) })
            )
        }
    }

    /// An envelope, with what follows it if it is a list.
    private func encoded<Element: Encodable>(_ name: String, _ elements: [Element], isLast: Bool? = nil) throws -> Data
    {
        var data = try JSONEncoder().encode([name: elements])
        if isLast == true {
            data.removeLast()
            data += Data(#","meta":{"pagination":{"next":null}}}"#.utf8)
        }
        return data
    }
}
