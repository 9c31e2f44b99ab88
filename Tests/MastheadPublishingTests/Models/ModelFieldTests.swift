import Foundation
import MastheadNetworking
import MastheadPublishing
import Testing

struct ModelFieldTests {
    private func read(_ collection: String, from body: Data, hook: @escaping @Sendable (DecodingFailure) -> Void)
        async -> RepositoryError?
    {
        let configuration = NetworkingConfiguration(domainURL: "api.example.org") {
            $0.clientKey = "k3y"
            $0.onDecodingFailure = hook
        }
        let executor = FixedAnswer(body)
        switch collection {
        case "volumes":
            return await VolumeRepository(configuration: configuration, executor: executor).volumes().error
        case "issues":
            return await IssueRepository(configuration: configuration, executor: executor).issues().error
        case "articles":
            return await ArticleRepository(configuration: configuration, executor: executor).articles().error
        default:
            return await AssetRepository(configuration: configuration, executor: executor).assets(["m0"]).error
        }
    }

    @Test("reports a wrong type at any field by its place, and calls the hook once", arguments: ModelField.all)
    func wrongType(field: ModelField) async throws {
        let body = try Wire.envelope(
            field.collection,
            ["id": "first"],
            field.object.replacing(field.path, with: field.wrong)
        )
        let (failures, continuation) = AsyncStream.makeStream(of: DecodingFailure.self)

        let error = await read(field.collection, from: body) { continuation.yield($0) }
        continuation.finish()

        guard case .decodeError(let failure) = error else {
            Testing.Issue.record("expected a decoding error, got \(String(describing: error))")
            return
        }
        #expect(failure.codingPath == "\(field.collection)[1].\(field.codingPath)")
        var reported: [DecodingFailure] = []
        for await failure in failures { reported.append(failure) }
        #expect(reported == [failure])
    }

    @Test("keeps the object when any field but the id is missing or null", arguments: ModelField.all)
    func missing(field: ModelField) async throws {
        let isNeeded = field.path.last == "id" || Int(field.path.last ?? "") != nil
        for value in [nil, JSONValue.null] where !isNeeded {
            let body = try Wire.envelope(field.collection, field.object.replacing(field.path, with: value))
            #expect(await read(field.collection, from: body, hook: { _ in }) == nil)
        }
    }

    @Test("reports an object without an id", arguments: ["volumes", "issues", "articles", "media"])
    func withoutID(collection: String) async throws {
        for element: JSONValue in [[:], ["id": .null], ["id": ""]] {
            let error = await read(collection, from: try Wire.envelope(collection, element), hook: { _ in })
            guard case .decodeError(let failure) = error else {
                Testing.Issue.record("expected a decoding error, got \(String(describing: error))")
                return
            }
            #expect(failure.codingPath.hasPrefix("\(collection)[0]"))
        }
    }

    @Test(
        "reports an envelope without its array",
        arguments: [#"{}"#, #"{"volumes":null}"#, #"{"volumes":{}}"#, #"[]"#, #"{"issues":[]}"#]
    )
    func withoutArray(body: String) async throws {
        let error = await read("volumes", from: Data(body.utf8), hook: { _ in })
        guard case .decodeError = error else {
            Testing.Issue.record("expected a decoding error, got \(String(describing: error))")
            return
        }
    }
}

extension Result {
    /// The failure, if it is one.
    var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
