import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("A list in pages", .timeLimit(.minutes(1)))
struct PaginationTests {
    @Test("by number, until a page is empty")
    func number() async {
        let executor = ClosureExecutor(answers: [.books(1...2), .books(3...4), .books([])])
        let (books, failure) = await AbstractRepository.answering(executor)
            .paged(Request<[Book]>.get("books", query: ["limit": 2]), by: .number("page")).everything()
        #expect(books.map(\.id) == [1, 2, 3, 4] && failure == nil)
        #expect(executor.requests.map(\.target) == (1...3).map { "/v2/books?limit=2&page=\($0)" })
    }

    @Test("by number from 0, until a page is short; in the place of what the request had")
    func shortPage() async {
        let executor = ClosureExecutor(answers: [.books(1...2), .books(3...3)])
        let (books, failure) = await AbstractRepository.answering(executor)
            .paged(
                Request<[Book]>.get("books", query: ["p": 7, "q": "sea"], parameters: ["p": 8]),
                by: .number("p", from: 0, size: 2)
            ).everything()
        #expect(books.map(\.id) == [1, 2, 3] && failure == nil)
        #expect(executor.requests.map(\.target) == ["/v2/books?q=sea&p=0", "/v2/books?q=sea&p=1"])
    }

    @Test("by offset")
    func offset() async {
        let executor = ClosureExecutor(answers: [.books(1...2), .books(3...5), .books(6...6)])
        let (books, failure) = await AbstractRepository.answering(executor)
            .paged(Request<[Book]>.get("books"), by: .offset("skip", size: 2)).everything()
        #expect(books.map(\.id) == Array(1...6) && failure == nil)
        #expect(executor.requests.map { $0.parameter("skip") } == ["0", "2", "5"])
    }

    @Test("by a cursor in the body, encoded once, until there is none", arguments: [nil, ""])
    func cursor(last: String?) async {
        let executor = ClosureExecutor(
            answers: [.shelf([1], next: "a/b+c="), .shelf([], next: "x"), .shelf([2], next: last)]
        )
        let (books, failure) = await AbstractRepository.answering(executor)
            .paged(Request<ShelfPage>.get("shelf"), by: .cursor("after", \.next), elements: \.books).everything()
        #expect(books.map(\.id) == [1, 2] && failure == nil, "an empty page is not the last")
        #expect(executor.requests.map(\.target) == ["/v2/shelf", "/v2/shelf?after=a%2Fb%2Bc%3D", "/v2/shelf?after=x"])
    }

    @Test("by a URL in the body")
    func url() async {
        let executor = ClosureExecutor(
            answers: [.shelf([1], next: "https://api.example.com/v2/shelf?c=%7E"), .shelf([2])]
        )
        let (books, failure) = await AbstractRepository.answering(executor)
            .paged(
                Request<ShelfPage>.get("shelf", query: ["limit": 1], headers: ["X-Preview": "1"]),
                by: .url(\.next),
                elements: \.books
            ).everything()
        #expect(books.map(\.id) == [1, 2] && failure == nil)
        #expect(executor.requests.map(\.target) == ["/v2/shelf?limit=1", "/v2/shelf?c=%7E"])
        #expect(executor.requests.allSatisfy { $0.headers["X-Preview"] == "1" })
    }

    @Test("by a Link field, over real sockets, relative to the page's own URL")
    func link() async throws {
        let next = ["Link": #"<books?page=2>; rel="next", </v2/books?page=9>; rel=last"#] as HTTPHeaders
        let server = try ScriptedServer { request in
            request.query == "page=2"
                ? .json(#"[{"id":2}]"#)
                : ScriptedServer.Answer(status: 200, headers: next, body: Data(#"[{"id":1}]"#.utf8))
        }
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration { $0.subdomainURL = "v2" })
        let (books, failure) = await repository.paged(Request<[Book]>.get("books"), by: .link).everything()
        #expect(books.map(\.id) == [1, 2] && failure == nil)
        #expect(server.requests.map(\.target) == ["/v2/books", "/v2/books?page=2"])
    }

    @Test("by a closure, that sees the page and decides with a query, a request, or the end")
    func custom() async {
        let executor = ClosureExecutor(
            answers: [.books(1...2, ["X-More": "1"]), .books([3], ["X-More": "2"]), .books([4])]
        )
        let seen = Lock<[[Int]]>([])
        let sequence = AbstractRepository.answering(executor).paged(
            Request<[Book]>.post("search", body: .text("first")),
            by: .custom { page in
                seen.withLock { $0.append([page.number, page.count, page.total, page.body.count]) }
                switch page.headers["X-More"] {
                case "1": return .query(["more": "yes"])
                case "2": return .request(.post("search", body: .text("third")))
                default: return .last
                }
            }
        )
        let (books, failure) = await sequence.everything()
        #expect(books.map(\.id) == [1, 2, 3, 4] && failure == nil)
        #expect(executor.requests.map(\.target) == ["/v2/search", "/v2/search?more=yes", "/v2/search"])
        #expect(executor.requests.compactMap(\.body?.data) == ["first", "first", "third"].map { Data($0.utf8) })
        #expect(seen.withLock { $0 } == [[1, 2, 2, 2], [2, 1, 3, 1], [3, 1, 4, 1]])
    }

    @Test(
        "never asks another origin, or what is not below the configured path",
        arguments: [
            "https://evil.example.org/v2/shelf?c=2", "http://api.example.com/v2/shelf?c=2",
            "https://api.example.com:8443/v2/shelf?c=2", "//evil.example.org/v2/shelf",
            "https://api.example.com/v1/shelf",
            "https://api.example.com@evil.example.org/v2/shelf", "/admin", "../../admin", "/v2/%2e%2e/admin",
            "javascript:alert(1)", "/v2/a b", "/v2\\\\admin", "https:shelf",
        ]
    )
    func origin(next: String) async throws {
        let executor = ClosureExecutor(answers: [.shelf([1], next: next), .shelf([2])])
        var iterator = AbstractRepository.answering(executor)
            .paged(Request<ShelfPage>.get("shelf"), by: .url(\.next), elements: \.books).makeAsyncIterator()
        #expect(try await iterator.next() == Book(id: 1))
        #expect(await failure { _ = try await iterator.next() }?.label == "invalidURL")
        #expect(try await iterator.next() == nil, "it is told once")
        #expect(executor.requests.count == 1)
    }

    @Test("takes path and query alone where the origin is to be ignored")
    func ignoringOrigin() async {
        let executor = ClosureExecutor(
            answers: [.shelf([1], next: "http://10.0.0.7:8080/v2/shelf?c=2"), .shelf([2], next: "/v1/shelf")]
        )
        let (books, failure) = await AbstractRepository.answering(executor)
            .paged(
                Request<ShelfPage>.get("shelf"),
                by: .url(\.next, ignoringOrigin: true),
                elements: \.books
            ).everything()
        #expect(books.map(\.id) == [1, 2] && failure?.label == "invalidURL", "it stays below the configured path")
        #expect(executor.requests.map(\.url.absoluteString).last == "https://api.example.com/v2/shelf?c=2")
        #expect(executor.requests.count == 2)
    }

    @Test(
        "reads Link fields as RFC 8288 has them",
        arguments: [
            (#"<a>; rel="next""#, "a"), (#"<a>; rel=next"#, "a"), (#"<a>;rel=NEXT;title="x""#, "a"),
            (#"<p>; rel="prev", <a,b;c>; title="a \", <z>; rel=next"; rel="last next""#, "a,b;c"),
            ("  ,, <p> ; rel = \"prev\" , < a > ; rel=\"nofollow\tnext\"", "a"), (#"<a>; rel="prev"; rel="next""#, nil),
            (#"<a>; rel="next"; anchor="/other""#, nil), (#"<a>; rel="nextish""#, nil), ("<a>", nil), ("<a", nil),
            ("", nil), ("a; rel=next", nil), (#"<a>; rel="next"#, "a"), (#"<a>; crossorigin; rel=next"#, "a"),
            (#"<a> x; rel=next, <b>; rel=next"#, "b"), (#"<>; rel=next"#, ""),
        ] as [(String, String?)]
    )
    func links(field: String, target: String?) {
        #expect(WebLink.target(of: "next", in: ["Link": field]) == target)
        #expect(WebLink.target(of: "next", in: ["link": "<z>; rel=self", "Link": field]) == target)
    }
}
