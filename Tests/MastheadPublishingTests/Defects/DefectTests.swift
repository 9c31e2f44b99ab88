import Foundation
import MastheadNetworking
import MastheadPublishing
import MastheadTesting
import Testing

/// What the old client did wrong, and this one must not: a test for each number of the protocol's section 8 that is about
/// reading, storing, asking for and bringing up to date what a publisher has.
///
/// Those that are missing are about bundles (7, 26, 48), downloads and their progress (5, 18, 19), purchases (29, 45 to 47)
/// and events (30).
@Suite("Defects of the old client, by their numbers", .timeLimit(.minutes(1)))
struct DefectTests {
    let folder: LibraryFolder

    init() throws {
        folder = try LibraryFolder()
    }

    /// A library, and a server that answers from a table of paths; what is not in the table is a failure.
    func open(
        _ answers: [String: String],
        key: Secret? = "k3y",
        _ configure: (inout NetworkingConfiguration) -> Void = { _ in }
    ) async throws -> (library: Library, server: StubExecutor) {
        let routes = answers.map { ("GET /\($0.key)", StubExecutor.Answer.json($0.value)) }
        let server = try StubExecutor(routes: Dictionary(routes) { first, _ in first })
        return (try await open(asking: server, key: key, configure), server)
    }

    /// A library that asks a server of the test's own.
    func open(
        asking server: StubExecutor,
        key: Secret? = "k3y",
        _ configure: (inout NetworkingConfiguration) -> Void = { _ in }
    ) async throws -> Library {
        let configuration = NetworkingConfiguration(domainURL: "api.example.org") {
            $0.clientKey = key
            configure(&$0)
        }
        return try await Library(
            directory: folder.directory,
            catalogue: Catalogue(configuration: configuration, executor: server)
        )
    }

    /// What the catalogue said to a call; `nil` if the call succeeded.
    func refusal(_ call: () async throws -> some Any) async throws -> RepositoryError? {
        do {
            _ = try await call()
            return nil
        } catch LibraryError.catalogue(let error) {
            return error
        }
    }
}

extension StubExecutor {
    /// The paths that it was asked for, in order.
    var paths: [String] { requests.map { $0.url.path(percentEncoded: false) } }

    /// How many of its requests were of such a path.
    func count(of path: String) -> Int { paths.filter { $0.hasPrefix(path) }.count }
}

extension JSONValue {
    /// The value, as it is sent.
    var text: String { (try? encoded()).map { String(decoding: $0, as: UTF8.self) } ?? "" }
}
