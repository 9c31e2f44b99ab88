import Foundation
import MastheadNetworking
import Testing

/// Many exchanges on one connection of nginx's.
@Suite("HTTP/2", .needsNginx, .timeLimit(.minutes(1)))
struct HTTP2Tests {
    private static let locations = """
                # With the default of 1000 nginx gives the connection up under requests that may not be repeated.
                keepalive_requests 100000;
                location /small { return 200 'small'; }
                location /big { alias big; }
                location /posted { client_max_body_size 1m; return 201; }
        """

    /// The handles of one exchange serve the next while others still use the connection.
    @Test("serves methods, bodies and cancellations side by side")
    func mixes() async throws {
        try await withTemporaryFolder { folder in
            try Data(repeating: 7, count: 200_000).write(to: folder.appending(path: "big"))
            let locations = Self.locations.replacing("alias big", with: "alias \(folder.path())/big")
            let nginx = try await Nginx.start(in: folder, locations: locations)
            let repository = AbstractRepository(
                configuration: NetworkingConfiguration(domainURL: "localhost", port: nginx.port) {
                    $0.certificateAuthorityFile = nginx.certificate.path()
                    $0.timeout = .seconds(10)
                }
            )
            for _ in 0..<4 {
                let failures = await Self.burst(of: 300, on: repository)
                #expect(failures == [])
            }
            let access = try await nginx.stop()
            #expect(access.count > 300)
            #expect(access.allSatisfy { $0.version == "HTTP/2.0" })
        }
    }

    /// Makes requests of three kinds at once, cancels every third, and tells what went wrong.
    private static func burst(of count: Int, on repository: AbstractRepository) async -> [String] {
        let tasks = (0..<count).map { index in
            (isCancelled: index % 3 == 2, task: Task { await exchange(index, on: repository) })
        }
        for (isCancelled, task) in tasks where isCancelled {
            await Task.yield()
            task.cancel()
        }
        var failures: [String] = []
        for (isCancelled, task) in tasks {
            switch await task.value {
            case nil: break
            case .cancelled? where isCancelled: break
            case let error?: failures.append("\(error)")
            }
        }
        return failures
    }

    private static func exchange(_ index: Int, on repository: AbstractRepository) async -> RepositoryError? {
        let request: Request<HTTPResponse>
        let expected: (status: Int, size: Int)
        switch index % 4 {
        case 0: (request, expected) = (.get("big"), (200, 200_000))
        case 1:
            request = .post("posted", body: .data(Data(repeating: 1, count: 50_000), contentType: nil))
            expected = (201, 0)
        case 2: (request, expected) = (.head("small"), (200, 0))
        default: (request, expected) = (.get("small"), (200, 5))
        }
        switch await repository.performRaw(request) {
        case .failure(let error): return error
        case .success(let response):
            let isRight = response.status == expected.status && response.body.count == expected.size
            return isRight ? nil : .invalidResponse(reason: "\(response) to \(request)")
        }
    }
}
