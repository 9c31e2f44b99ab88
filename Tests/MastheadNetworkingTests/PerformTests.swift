import Dispatch
import FoundationEssentials
import MastheadLock
import MastheadNetworking
import Testing

struct Volume: Codable, Hashable, Sendable {
    let id: String
    let title: String
}

enum Edition: String, Codable, Sendable { case morning, evening }

/// Opens what a repository offers to its subclasses only by convention.
final class ShelfRepository: AbstractRepository, @unchecked Sendable {
    func volume(_ id: String) async -> Result<Volume, RepositoryError> {
        await perform(.get("volumes"))
    }
}

@Suite("A call of a repository")
struct PerformTests {
    @Test("decodes the answer to the model the method returns")
    func decodes() async throws {
        let executor = ClosureExecutor(answers: [.answer(200, body: #"{"id": "vol-7", "title": "Orbit"}"#)])
        let repository = ShelfRepository(configuration: .test(), executor: executor)

        let volume = try await repository.volume("vol-7").get()

        #expect(volume == Volume(id: "vol-7", title: "Orbit"))
        let request = try #require(executor.requests.first)
        #expect(request.method == .get)
        #expect(request.url.absoluteString == "https://api.example.com/v2/volumes")
    }

    @Test("an answer comes as it is, from the last URL that was asked")
    func raw() async throws {
        let executor = ClosureExecutor(answers: [
            .answer(302, ["Location": "/moved"]), .answer(203, ["X-A": "b"], body: "no JSON"),
        ])
        let repository = AbstractRepository(configuration: .test(), executor: executor)
        let response = try await repository.performRaw(.get("volumes")).get()
        #expect(response.status == 203)
        #expect(response.headers["x-a"] == "b")
        #expect(response.body == Data("no JSON".utf8))
        #expect(response.url.absoluteString == "https://api.example.com/moved")
    }

    @Test("a redirect that names no target is a refusal, and so is every one if none may be followed")
    func unfollowedRedirects() async {
        for (limit, headers) in [(10, [:]), (0, ["Location": "/moved"])] as [(Int, HTTPHeaders)] {
            let executor = ClosureExecutor(answers: [.answer(302, headers)])
            let repository = AbstractRepository(
                configuration: .test { $0.maximumRedirects = limit },
                executor: executor
            )
            guard case .requestError(let refusal)? = await repository.perform(Request<Void>.get("volumes")).failure,
                refusal.status == 302
            else {
                Issue.record("expected a refusal")
                return
            }
            #expect(executor.requests.count == 1)
        }
    }

    @Test("a top-level string becomes an enum")
    func decodesEnum() async throws {
        let repository = AbstractRepository(
            configuration: .test(),
            executor: ClosureExecutor(answers: [.answer(200, body: #""evening""#)])
        )
        let edition: Edition = try await repository.perform(.get("edition")).get()
        #expect(edition == .evening)
    }

    @Test("JSON's null is nil for an optional model")
    func decodesNull() async throws {
        let repository = AbstractRepository(
            configuration: .test(),
            executor: ClosureExecutor(answers: [.answer(200, body: "null")])
        )
        let volume: Volume? = try await repository.perform(.get("volumes")).get()
        #expect(volume == nil)
    }

    @Test(
        "case 4: an empty body is success for nothing and for an optional, and an error for a model",
        arguments: [200, 204, 205, 304]
    )
    func takesEmptyBodies(status: Int) async throws {
        let repository = AbstractRepository(
            configuration: .test(),
            executor: ClosureExecutor(answers: [.answer(status)])
        )
        for method in [HTTPMethod.get, .head] {
            try await repository.perform(Request<Void>(method: method, path: "volumes")).get()
            let none = try await repository.perform(Request<Volume?>(method: method, path: "volumes")).get()
            #expect(none == nil)
            let error = await repository.perform(Request<Volume>(method: method, path: "volumes")).failure
            guard case .emptyBody(status: status)? = error else {
                Issue.record("expected an empty body of \(status), got \(String(describing: error))")
                return
            }
        }
    }

    @Test("an executor, a model and a hook never run on the caller's actor")
    @MainActor
    func leavesTheActor() async throws {
        let probe = MainQueueProbe.shared
        try #require(probe.isOnMainQueue)
        let executor = ClosureExecutor { (_) async throws(RepositoryError) in
            if probe.isOnMainQueue { throw .connectionLost(mayHaveBeenProcessed: true) }
            return .answer(200, body: "{}")
        }
        let hookRanOnMainQueue = Lock<Bool?>(nil)
        let repository = AbstractRepository(
            configuration: .test {
                $0.onDecodingFailure = { _ in hookRanOnMainQueue.withLock { $0 = probe.isOnMainQueue } }
            },
            executor: executor
        )
        let place: Whereabouts = try await repository.perform(.get("here")).get()
        #expect(!place.decodedOnMainQueue)
        #expect(await repository.perform(Request<Volume>.get("here")).failure != nil)
        #expect(hookRanOnMainQueue.withLock { $0 } == false)
    }
}

/// Tells the main queue from others; `Thread.isMainThread` does not, on Linux.
final class MainQueueProbe: Sendable {
    static let shared = MainQueueProbe()
    private let key = DispatchSpecificKey<Bool>()

    private init() {
        DispatchQueue.main.setSpecific(key: key, value: true)
    }

    var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: key) == true }
}

/// A model that notes where it was decoded.
struct Whereabouts: Decodable, Sendable {
    let decodedOnMainQueue: Bool

    init(from decoder: any Decoder) throws {
        decodedOnMainQueue = MainQueueProbe.shared.isOnMainQueue
    }
}
