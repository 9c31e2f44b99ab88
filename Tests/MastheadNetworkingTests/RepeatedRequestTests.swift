import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("A repository that asks again")
struct RepeatedRequestTests {
    @Test("asks for each path and query as they are, in whichever order")
    func repeats() async throws {
        let executor = ClosureExecutor(answers: [.answer(204)])
        let repository = AbstractRepository(configuration: .test(), executor: executor)
        for (path, query) in [("a", nil), ("a", nil), ("b", nil), ("b", "1"), ("b", nil), ("a", "2"), ("a", nil)] {
            let path = RequestPath(segments: [path])
            let request = Request<Void>.get(path, query: query.map { ["q": .string($0)] } ?? [:])
            try await repository.perform(request).get()
        }
        let urls = executor.requests.map { $0.url.absoluteString.dropFirst("https://api.example.com/v2/".count) }
        #expect(urls == ["a", "a", "b", "b?q=1", "b", "a?q=2", "a"])
    }
}
