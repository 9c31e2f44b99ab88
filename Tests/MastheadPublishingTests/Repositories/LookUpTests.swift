import Foundation
import MastheadNetworking
import MastheadPublishing
import MastheadTesting
import Testing

struct LookUpTests {
    private let configuration = NetworkingConfiguration(domainURL: "api.example.org", subdomainURL: "/magnet") {
        $0.clientKey = "k3y"
    }

    /// A look-up of each kind, and the error it ends in.
    enum LookUp: String, CaseIterable {
        case volume, volumeBySKU, issue, issueBySKU, article, articleBySKU, asset

        func run(_ configuration: NetworkingConfiguration, _ executor: StubExecutor, _ name: String = "x") async
            -> RepositoryError?
        {
            let volumes = VolumeRepository(configuration: configuration, executor: executor)
            let issues = IssueRepository(configuration: configuration, executor: executor)
            let articles = ArticleRepository(configuration: configuration, executor: executor)
            let assets = AssetRepository(configuration: configuration, executor: executor)
            return switch self {
            case .volume: await volumes.volume(Volume.ID(name)).error
            case .volumeBySKU: await volumes.volume(sku: SKU(name)).error
            case .issue: await issues.issue(Issue.ID(name)).error
            case .issueBySKU: await issues.issue(sku: SKU(name)).error
            case .article: await articles.article(Article.ID(name)).error
            case .articleBySKU: await articles.article(sku: SKU(name)).error
            case .asset: await assets.asset(Asset.ID(name)).error
            }
        }

        var collection: String {
            switch self {
            case .volume, .volumeBySKU: "volumes"
            case .issue, .issueBySKU: "issues"
            case .article, .articleBySKU: "articles"
            case .asset: "media"
            }
        }

        func isUnknown(_ error: any CustomRepositoryError) -> Bool {
            switch collection {
            case "volumes": VolumeError.unknownVolume ~= error
            case "issues": IssueError.unknownIssue ~= error
            case "articles": ArticleError.unknownArticle ~= error
            default: AssetError.unknownAsset ~= error
            }
        }

        func isWithdrawn(_ error: any CustomRepositoryError) -> Bool {
            switch collection {
            case "volumes": VolumeError.withdrawn ~= error
            case "issues": IssueError.withdrawn ~= error
            case "articles": ArticleError.withdrawn ~= error
            default: AssetError.withdrawn ~= error
            }
        }

        var isBySKU: Bool { rawValue.hasSuffix("SKU") }
    }

    @Test("takes a 404 and an empty array for an unknown object", arguments: LookUp.allCases)
    func unknown(lookUp: LookUp) async throws {
        for answer in [StubExecutor.Answer.status(404), .json(#"{"\#(lookUp.collection)":[]}"#)] {
            let error = await lookUp.run(configuration, StubExecutor { _ in answer })
            guard case .customError(let custom) = error else {
                Testing.Issue.record("\(String(describing: error))")
                return
            }
            #expect(lookUp.isUnknown(custom))
        }
    }

    @Test("takes a 410 for a withdrawn object", arguments: LookUp.allCases)
    func withdrawn(lookUp: LookUp) async throws {
        guard case .customError(let custom) = await lookUp.run(configuration, StubExecutor { _ in .status(410) }) else {
            Testing.Issue.record("expected a custom error")
            return
        }
        #expect(lookUp.isWithdrawn(custom))
    }

    @Test("sends nothing without a client key", arguments: LookUp.allCases, [nil, ""] as [Secret?])
    func withoutKey(lookUp: LookUp, key: Secret?) async throws {
        var configuration = configuration
        configuration.clientKey = key
        let stub = StubExecutor { _ in .json("{}") }
        guard case .invalidConfiguration = await lookUp.run(configuration, stub) else {
            Testing.Issue.record("expected an invalid configuration")
            return
        }
        #expect(stub.requests.isEmpty)
    }

    @Test("sends no key that would break the header", arguments: ["a\r\nX: y", "a\nb", "a\0"])
    func brokenKey(key: String) async throws {
        var configuration = configuration
        configuration.clientKey = Secret(key)
        let stub = StubExecutor { _ in .json("{}") }
        let error = try #require(await LookUp.volume.run(configuration, stub))
        #expect(stub.requests.isEmpty)
        #expect(!"\(error)".contains(key))
    }

    @Test(
        "sends ids and SKUs as one segment",
        arguments: LookUp.allCases,
        ["a/b", "a?b", "a#b", "a%2Fb", "a+b", "a b", "a🗞b", "a;b=c", "a&b", "..a", "ä"]
    )
    func hostileNames(lookUp: LookUp, name: String) async throws {
        let stub = StubExecutor { _ in .status(404) }
        _ = await lookUp.run(configuration, stub, name)
        let url = try #require(stub.requests.first?.url)
        let segments = url.absoluteString.split(separator: "/").dropFirst(2).map(String.init)
        let prefix = lookUp.isBySKU ? ["magnet", lookUp.collection, "sku"] : ["magnet", lookUp.collection]
        #expect(segments.dropLast() == prefix[...])
        #expect(segments.last?.removingPercentEncoding == name)
        #expect(segments.last?.contains { "?#+;".contains($0) } == false)
    }

    @Test("refuses ids and SKUs that would lead elsewhere", arguments: LookUp.allCases, [".", "..", ""])
    func climbingNames(lookUp: LookUp, name: String) async throws {
        let stub = StubExecutor { _ in .status(404) }
        guard case .invalidURL = await lookUp.run(configuration, stub, name) else {
            Testing.Issue.record("expected an invalid URL")
            return
        }
        #expect(stub.requests.isEmpty)
    }

    @Test("refuses ids that are words of the API's paths", arguments: ["published", "preview", "since", "sku"])
    func shadowedNames(name: String) async throws {
        let stub = StubExecutor { _ in .status(404) }
        for lookUp in LookUp.allCases where !lookUp.isBySKU {
            guard case .invalidURL = await lookUp.run(configuration, stub, name) else {
                Testing.Issue.record("\(lookUp) should refuse \(name)")
                return
            }
        }
        #expect(stub.requests.isEmpty)
    }

    @Test("sends a property and its value as two segments")
    func hostileProperties() async throws {
        let stub = StubExecutor { _ in .json(#"{"articles":[]}"#) }
        let articles = ArticleRepository(configuration: configuration, executor: stub)
        _ = await articles.articles(where: "a/b", equals: "c?d#e+f g%2F🗞")
        let path = try #require(stub.requests.first?.url.absoluteString.split(separator: "?").first)
        #expect(path.hasSuffix("/magnet/articles/a%2Fb/c%3Fd%23e%2Bf%20g%252F%F0%9F%97%9E"))
    }

    @Test(
        "refuses properties and values that would ask for something else",
        arguments: [("", "x"), ("x", ""), ("..", "x"), ("x", ".."), ("sku", "x"), ("since", "x"), ("published", "x")]
    )
    func refusedProperties(property: String, value: String) async throws {
        let stub = StubExecutor { _ in .json(#"{"articles":[]}"#) }
        let articles = ArticleRepository(configuration: configuration, executor: stub)
        guard case .invalidURL = await articles.articles(where: property, equals: value).error else {
            Testing.Issue.record("expected an invalid URL")
            return
        }
        guard case .invalidURL = await failure(of: articles.all(where: property, equals: value)) else {
            Testing.Issue.record("expected an invalid URL")
            return
        }
        #expect(stub.requests.isEmpty)
    }
}

/// What a sequence ends in.
func failure<Element>(of sequence: CatalogueSequence<Element>) async -> RepositoryError? {
    do {
        for try await _ in sequence {}
        return nil
    } catch {
        return error
    }
}
