import BenchmarkSide
import Foundation
import FoundationNetworking

/// URLSession, as an app would use it instead: one session, `data(for:)`, as many connections as there are callers.
@main
enum BenchPeer {
    static func main() async {
        await SideProcess.run { workload in
            guard let url = URL(string: workload.url) else { throw URLError(.badURL) }
            let session = URLSession(configuration: configuration(for: workload))
            let request = URLRequest(url: url)
            let watch = StopWatch(workload) {
                let (data, _) = try await answer(to: request, session: session)
                guard workload.task == .decode else { return data.count }
                let list = try decoder().decode(ArticleList.self, from: data)
                guard !list.articles.isEmpty else { throw URLError(.cannotParseResponse) }
                return data.count
            }
            var result = try await watch.run()
            result.version = try await answer(to: request, session: session).version
            return result
        }
    }

    private static func configuration(for workload: Workload) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        if workload.task != .cold { configuration.httpMaximumConnectionsPerHost = workload.concurrency }
        return configuration
    }

    private static func answer(
        to request: URLRequest,
        session: URLSession
    ) async throws -> (data: Data, version: String?) {
        let (data, response) = try await session.data(for: request)
        guard let response = response as? HTTPURLResponse, response.statusCode == 200 else {
            throw URLError(.badServerResponse)
        }
        return (data, response.value(forHTTPHeaderField: "X-Protocol"))
    }

    private static func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}
