import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("URL building")
struct URLBuildingTests {
    @Test(
        "case 11: keeps the base's path, whatever slashes are written where",
        arguments: [
            ("v1", "users", "/v1/users"), ("v1/", "users", "/v1/users"), ("/v1", "users", "/v1/users"),
            ("/v1/", "/users", "/v1/users"), ("v1", "/users", "/v1/users"), ("v1/", "users/", "/v1/users/"),
            ("v1", "users/", "/v1/users/"), ("v1", "", "/v1"), ("v1/", "", "/v1/"), ("v1", "/", "/v1/"),
            ("a/b c", "users", "/a/b%20c/users"), ("", "users", "/users"), ("/", "users", "/users"), ("", "", "/"),
        ]
    )
    func joinsPaths(base: String, path: String, expected: String) throws {
        let configuration = NetworkingConfiguration(domainURL: "h.example", subdomainURL: base)

        let url = try configuration.url(for: RequestPath(stringLiteral: path))

        #expect(url.absoluteString == "https://h.example" + expected)
    }

    @Test(
        "case 12: sends an id as one segment, encoded once",
        arguments: [
            ("a/b%2Fc ü..", "a%2Fb%252Fc%20%C3%BC.."), ("a?b#c", "a%3Fb%23c"), ("50%", "50%25"), ("a+b,c", "a+b,c"),
            ("%2e%2e", "%252e%252e"), ("📰", "%F0%9F%93%B0"), ("a;v=1", "a%3Bv=1"), ("a\\b", "a%5Cb"), ("...", "..."),
        ]
    )
    func encodesSegments(id: String, expected: String) throws {
        let configuration = NetworkingConfiguration(domainURL: "h.example", subdomainURL: "v1")

        let url = try configuration.url(for: "volumes/\(id)/issues")

        #expect(url.absoluteString == "https://h.example/v1/volumes/\(expected)/issues")
    }

    @Test("takes numbers, parts of strings and typed ids, beside each other and beside literals")
    func interpolatesValues() throws {
        let configuration = NetworkingConfiguration(domainURL: "h.example")
        let word = "sea/side".prefix(5)
        let id = TypedID(rawValue: "x/y")

        let url = try configuration.url(for: "media/\(7),\(word)-\(id).json")

        #expect(url.absoluteString == "https://h.example/media/7,sea%2Fs-x%2Fy.json")
    }

    @Test("case 12: refuses a path that could climb, miss its id, or hold what a path has not")
    func refusesPaths() {
        let configuration = NetworkingConfiguration(domainURL: "h.example", subdomainURL: "v1")
        let (empty, dot, dots) = ("", ".", "..")
        let paths: [RequestPath] = [
            "volumes/\(empty)", "volumes/\(empty)/issues", "\(empty)", "volumes/\(dots)", "volumes/\(dot)/issues",
            "volumes/\(dot)\(dot)", "volumes/.\(dot)/x", "volumes/../x", "./x", "volumes//x", "//volumes", "volumes//",
            "volumes?limit=1", "volumes#top", "volumes/a\nb", "volumes/\("a\r\nX: y")", "volumes/\("\0")",
            RequestPath(segments: ["volumes", ""]), RequestPath(segments: ["..", "x"]), RequestPath(segments: [""]),
        ]
        for path in paths {
            #expect("\(path)") { try configuration.url(for: path) } throws: { error in
                if case RepositoryError.invalidURL = error { true } else { false }
            }
        }
    }

    @Test("case 10: encodes a query once, whatever it holds, and the same when built twice")
    func encodesQueries() throws {
        let configuration = NetworkingConfiguration(domainURL: "h.example")
        let query: Parameters = ["q": "a+b c%2B&d=é;/?#"]

        let url = try configuration.url(for: "search", query: query)

        #expect(url.absoluteString == "https://h.example/search?q=a%2Bb%20c%252B%26d%3D%C3%A9%3B%2F%3F%23")
        #expect(try configuration.url(for: "search", query: query) == url)
    }

    @Test(
        "writes arrays, nesting, Booleans and numbers as documented",
        arguments: [
            (["tags": ["sea", "ports"]], "tags[]=sea&tags[]=ports"), (["b": 1, "a": 2], "b=1&a=2"),
            (["range": ["to": 9, "from": 1]], "range[from]=1&range[to]=9"),
            (["on": true, "off": false], "on=true&off=false"),
            (["none": nil, "x": 1], "x=1"), (["none": []], ""), (["x": 1.5, "y": 2.0], "x=1.5&y=2.0"),
            (["items": [["a": 1], ["a": 2]]], "items[0][a]=1&items[1][a]=2"),
            (["n": [[1, 2], [3]]], "n[0][]=1&n[0][]=2&n[1][]=3"),
            (["a": 1, "a": 2], "a=1&a=2"), (["a": ""], "a="), (["a b&": "x"], "a%20b%26=x"),
        ] as [(Parameters, String)]
    )
    func writesStructures(query: Parameters, expected: String) throws {
        let url = try NetworkingConfiguration(domainURL: "h.example").url(for: "x", query: query)

        let encoded = expected.replacing("[", with: "%5B").replacing("]", with: "%5D")
        #expect(url.absoluteString == "https://h.example/x" + (encoded.isEmpty ? "" : "?" + encoded))
    }

    @Test("refuses a number in a query that is none")
    func refusesNumbers() {
        #expect(throws: RepositoryError.self) {
            try NetworkingConfiguration(domainURL: "h.example").url(for: "x", query: ["x": .double(.infinity)])
        }
    }
}

private struct TypedID: RawRepresentable {
    let rawValue: String
}
