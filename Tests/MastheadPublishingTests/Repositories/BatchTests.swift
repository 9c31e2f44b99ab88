import Foundation
import MastheadNetworking
import MastheadPublishing
import MastheadTesting
import Testing

struct BatchTests {
    private let configuration = NetworkingConfiguration(domainURL: "api.example.org") { $0.clientKey = "k3y" }

    /// The ids of a batch request, from its path.
    private func ids(of request: HTTPRequest) -> [String] {
        request.url.path().split(separator: "/").last?.split(separator: ",").map(String.init) ?? []
    }

    /// Answers a batch with its articles in reverse order, so that nothing may rely on the server's.
    private func articles(of request: HTTPRequest, body: String = "text") -> StubExecutor.Answer {
        let elements = ids(of: request).reversed().map { #"{"id":"\#($0)","body":"\#(body)"}"# }
        return .json(#"{"articles":[\#(elements.joined(separator: ","))]}"#)
    }

    @Test("splits 120 ids into three requests of at most 50, and keeps their order")
    func splits() async throws {
        let stub = StubExecutor { self.articles(of: $0) }
        let asked = (0..<120).map { Article.ID("a\($0)") }
        let read = try await ArticleRepository(configuration: configuration, executor: stub).articles(asked).get()
        #expect(read.map(\.id) == asked)
        #expect(stub.requests.map { ids(of: $0).count }.sorted() == [20, 50, 50])
    }

    @Test("asks for an id once, however often it is given")
    func deduplicates() async throws {
        let stub = StubExecutor { self.articles(of: $0) }
        let read = try await ArticleRepository(configuration: configuration, executor: stub)
            .articles(["b", "a", "b", "b"]).get()
        #expect(read.map(\.id) == ["b", "a"])
        #expect(stub.requests.map(ids) == [["b", "a"]])
    }

    @Test("asks for nothing when there is nothing to ask for")
    func empty() async throws {
        let stub = StubExecutor { _ in .status(500) }
        #expect(try await AssetRepository(configuration: configuration, executor: stub).assets([]).get().isEmpty)
        #expect(stub.requests.isEmpty)
    }

    @Test("fails as a whole with the error of the part that failed")
    func fails() async throws {
        let stub = StubExecutor { self.ids(of: $0).contains("a60") ? .status(503) : self.articles(of: $0) }
        let result = await ArticleRepository(configuration: configuration, executor: stub)
            .articles((0..<120).map { Article.ID("a\($0)") })
        guard case .requestError(let refusal) = result.error else {
            Testing.Issue.record("expected the refusal")
            return
        }
        #expect(refusal.status == 503)
    }

    @Test("refuses an id with a comma, which would be two", arguments: ["a,b", ","])
    func comma(id: String) async throws {
        let stub = StubExecutor { self.articles(of: $0) }
        let result = await ArticleRepository(configuration: configuration, executor: stub).articles([
            "x", Article.ID(id),
        ])
        guard case .invalidURL = result.error else {
            Testing.Issue.record("expected an invalid URL")
            return
        }
        #expect(stub.requests.isEmpty)
    }

    @Test("has a few requests under way at once, never more")
    func bounded() async throws {
        let stub = StubExecutor { (request) async throws(RepositoryError) in
            await Task.yield()
            return self.articles(of: request)
        }
        let asked = (0..<1000).map { Article.ID("a\($0)") }
        let read = try await ArticleRepository(configuration: configuration, executor: stub).articles(asked).get()
        #expect(read.map(\.id) == asked)
        #expect(stub.requests.count == 20)
    }

    @Test("fetches only those articles of a list that came without text, in one batch")
    func stubs() async throws {
        let stub = StubExecutor { self.articles(of: $0) }
        let list = [Article(id: "a", body: "old"), Article(id: "b"), Article(id: "c"), Article(id: "d", body: "old")]
        let full = try await ArticleRepository(configuration: configuration, executor: stub).fullArticles(list).get()
        #expect(full.map(\.id) == ["a", "b", "c", "d"])
        #expect(full.map(\.body) == ["old", "text", "text", "old"])
        #expect(stub.requests.map(ids) == [["b", "c"]])
    }

    @Test("fetches only those volumes and issues of a list of which there is nothing but the id")
    func bareVolumes() async throws {
        let stub = StubExecutor { request in
            let segments = request.url.path().split(separator: "/")
            return .json(#"{"\#(segments[0])":[{"id":"\#(segments[1])","title":"New"}]}"#)
        }
        let volumes = try await VolumeRepository(configuration: configuration, executor: stub)
            .fullVolumes([Volume(id: "v1"), Volume(id: "v2", title: "Old"), Volume(id: "v3")]).get()
        #expect(volumes.map(\.title) == ["New", "Old", "New"])
        let issues = try await IssueRepository(configuration: configuration, executor: stub)
            .fullIssues([Issue(id: "i1", title: "Old"), Issue(id: "i2")]).get()
        #expect(issues.map(\.title) == ["Old", "New"])
        #expect(stub.requests.count == 3)
    }
}
