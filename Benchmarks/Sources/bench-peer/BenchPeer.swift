import BenchmarkSide
import Foundation
import FoundationNetworking

/// URLSession, as an app would use it instead: one session, its async methods, as many connections as there are callers.
@main
enum BenchPeer {
    static func main() async {
        await SideProcess.run { workload in
            guard let url = URL(string: workload.url), let small = URL(string: workload.smallURL) else {
                throw URLError(.badURL)
            }
            let session = URLSession(configuration: configuration(for: workload))
            let exchange = try exchange(for: workload, session: session, request: URLRequest(url: url))
            var result = try await StopWatch(workload, exchange: exchange).run()
            let (_, response) = try await session.data(for: URLRequest(url: small))
            result.version = try checked(response).value(forHTTPHeaderField: "X-Protocol")
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

    private static func exchange(
        for workload: Workload,
        session: URLSession,
        request: URLRequest
    ) throws -> StopWatch.Exchange {
        switch workload.task {
        case .fetch, .cold:
            return { _ in
                let (data, response) = try await session.data(for: request)
                _ = try checked(response)
                return data.count
            }
        case .decode:
            return { _ in
                let (data, response) = try await session.data(for: request)
                _ = try checked(response)
                let list = try decoder().decode(ArticleList.self, from: data)
                guard !list.articles.isEmpty else { throw URLError(.cannotParseResponse) }
                return data.count
            }
        case .download:
            guard let file = workload.file else { throw URLError(.fileDoesNotExist) }
            return { number in
                let (temporary, response) = try await session.download(for: request)
                _ = try checked(response)
                // A rename: the driver has the temporary folder on the same file system.
                try FileManager.default.moveItem(atPath: temporary.path, toPath: "\(file).\(number)")
                return workload.bodyBytes
            }
        case .upload:
            guard let file = workload.file else { throw URLError(.fileDoesNotExist) }
            // URLSession has no forms, so its file is one already.
            let form = try FormFile(of: file)
            let request = form.request(to: request)
            return { _ in
                let (_, response) = try await session.upload(for: request, fromFile: form.url)
                _ = try checked(response)
                return workload.bodyBytes
            }
        case .executor, .pipeline, .pinned:
            throw URLError(.unsupportedURL)
        }
    }

    private static func checked(_ response: URLResponse) throws -> HTTPURLResponse {
        guard let response = response as? HTTPURLResponse, response.statusCode == 200 else {
            throw URLError(.badServerResponse)
        }
        return response
    }

    private static func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }
}
