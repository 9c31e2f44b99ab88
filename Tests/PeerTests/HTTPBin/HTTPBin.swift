import Foundation
import MastheadNetworking
import Testing

/// httpbin, as script/bootstrap installs it, run by gunicorn for one suite.
struct HTTPBin: Sendable {
    static let python = Peers.root.appending(path: ".build/peers/httpbin/bin/python")

    /// The one of the suite that runs.
    @TaskLocal static var current: HTTPBin?

    let port: Int

    func configuration(
        _ configure: (inout NetworkingConfiguration) -> Void = { _ in }
    ) -> NetworkingConfiguration {
        NetworkingConfiguration(domainURL: "127.0.0.1", port: port) {
            $0.useSecureConnection = false
            configure(&$0)
        }
    }

    fileprivate static func start(in folder: URL) async throws -> (PeerProcess, HTTPBin) {
        let options = [
            "--bind", "127.0.0.1:0", "--worker-class", "gthread", "--threads", "32", "--graceful-timeout", "1",
        ]
        return try await PeerProcess.start(python, ["-m", "gunicorn"] + options + ["httpbin:app"], in: folder) { line in
            // [INFO] Listening at: http://127.0.0.1:36927 (10169)
            line.firstMatch(of: /Listening at: http:\/\/127\.0\.0\.1:([0-9]+)/)
                .flatMap { Int($0.output.1) }
                .map(HTTPBin.init(port:))
        }
    }
}

/// Gives a suite an httpbin of its own.
struct HTTPBinTrait: SuiteTrait, TestScoping {
    @concurrent func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let (process, server) = try await HTTPBin.start(in: folder)
            await HTTPBin.$current.withValue(server) {
                do {
                    try await function()
                } catch {
                    Issue.record(error)
                }
            }
            await process.stop()
        }
    }
}

extension Trait where Self == HTTPBinTrait {
    static var httpbin: HTTPBinTrait { HTTPBinTrait() }
}

extension Trait where Self == ConditionTrait {
    static var needsHTTPBin: ConditionTrait {
        .enabled(if: Peers.have(HTTPBin.python), "needs httpbin: \(Peers.hint)")
    }
}
