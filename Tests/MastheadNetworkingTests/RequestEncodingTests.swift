import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("Request encoding")
struct RequestEncodingTests {
    private let configuration = NetworkingConfiguration(domainURL: "h.example", subdomainURL: "v1") {
        $0.defaultHeaders = ["X-One": "configuration", "X-Two": "configuration", "X-Three": "configuration"]
    }

    @Test("lets a call's header win over the repository's, and that over the configuration's, in any case")
    func mergesHeaders() throws {
        let request = Request<Void>.get("x", headers: ["x-one": "call"])

        let encoded = try configuration.makeHTTPRequest(
            from: request,
            repositoryHeaders: ["X-ONE": "repository", "x-two": "repository", "Set": "a"]
        )

        #expect(encoded.headers.values(of: "X-One") == ["call"])
        #expect(encoded.headers.values(of: "X-Two") == ["repository"])
        #expect(encoded.headers.values(of: "X-Three") == ["configuration"])
        #expect(encoded.headers["Set"] == "a")
    }

    @Test("keeps the call's priority", arguments: RequestPriority.allCases)
    func keepsPriority(priority: RequestPriority) throws {
        let requests: [Request<Void>] = [
            .get("x", priority: priority), .head("x", priority: priority), .delete("x", priority: priority),
            .post("x", priority: priority), .put("x", priority: priority), .patch("x", priority: priority),
        ]

        for request in requests {
            #expect(try configuration.makeHTTPRequest(from: request).priority == priority)
        }
        #expect(try configuration.makeHTTPRequest(from: Request<Void>.get("x")).priority == .normal)
    }

    @Test("says what it accepts and who it is, unless the app does")
    func addsDefaults() throws {
        let plain = try configuration.makeHTTPRequest(from: Request<Void>.get("x"))
        let own = try configuration.makeHTTPRequest(
            from: Request<Void>.get("x", headers: ["accept": "text/html", "user-agent": "Reader/7"])
        )

        #expect(plain.headers["Accept"] == "application/json")
        #expect(plain.headers["User-Agent"]?.hasPrefix("Masthead/") == true)
        #expect(plain.headers["Content-Type"] == nil && plain.body == nil)
        #expect(own.headers.values(of: "Accept") == ["text/html"])
        #expect(own.headers.values(of: "User-Agent") == ["Reader/7"])
    }

    @Test(
        "puts parameters where the method wants them",
        arguments: [
            (.get, "?q=1&p=a%20b", nil), (.delete, "?q=1&p=a%20b", nil), (.post, "?q=1", #"{"p":"a b"}"#),
            (.patch, "?q=1", #"{"p":"a b"}"#),
        ] as [(HTTPMethod, String, String?)]
    )
    func placesParameters(method: HTTPMethod, query: String, body: String?) throws {
        let request = Request<Void>(method: method, path: "x", query: ["q": 1], parameters: ["p": "a b"])

        let encoded = try configuration.makeHTTPRequest(from: request)

        #expect(encoded.url.absoluteString == "https://h.example/v1/x" + query)
        #expect(encoded.body?.data.map { String(decoding: $0, as: UTF8.self) } == body)
        #expect(encoded.headers["Content-Type"] == (body == nil ? nil : "application/json"))
    }

    @Test(
        "encodes every kind of body",
        arguments: [
            (.json(["a", 1, nil, true]), #"["a",1,null,true]"#, "application/json"),
            (.json(Bookmark(title: "a/b\n", on: Date(timeIntervalSince1970: 0.25))), nil, "application/json"),
            (
                .json(parameters: ["z": 1, "a": "x\u{1}\u{1F}\"\\"]), #"{"z":1,"a":"x\u0001\u001f\"\\"}"#,
                "application/json"
            ),
            (.json("é📰"), "\"é📰\"", "application/json"), (.json(.number("1e400")), "1e400", "application/json"),
            (
                .form(["q": "a+b c%2B&d=é;/?#~", "t": ["x", "y"]]),
                "q=a%2Bb+c%252B%26d%3D%C3%A9%3B%2F%3F%23%7E&t%5B%5D=x&t%5B%5D=y", "application/x-www-form-urlencoded"
            ),
            (.text("ü"), "ü", "text/plain; charset=utf-8"), (.data(Data("x".utf8), contentType: nil), "x", nil),
        ] as [(RequestBody, String?, String?)]
    )
    func encodesBodies(body: RequestBody, expected: String?, contentType: String?) throws {
        let encoded = try configuration.makeHTTPRequest(from: Request<Void>.post("x", body: body))

        let text = String(decoding: try #require(encoded.body?.data), as: UTF8.self)
        #expect(text == expected ?? text)
        if expected == nil {
            #expect(text.contains(#""1970-01-01T00:00:00.250Z""#) && text.contains(#""a/b\n""#))
        }
        #expect(encoded.headers["Content-Type"] == contentType)
    }

    @Test("lets the call's own content type stand")
    func keepsContentType() throws {
        let request = Request<Void>.post(
            "x",
            headers: ["content-type": "application/merge-patch+json"],
            body: .json([:])
        )

        #expect(
            try configuration.makeHTTPRequest(from: request).headers.values(of: "Content-Type")
                == ["application/merge-patch+json"]
        )
    }

    @Test(
        "case 23: refuses what cannot be sent, and names the field without its value",
        arguments: [
            (Request(method: "GE T", path: "x"), "method"), (Request(method: "", path: "x"), "method"),
            (Request(method: "GET\r\nX: y", path: "x"), "method"), (Request(method: "GET\0", path: "x"), "method"),
            (.get("x", headers: ["X-Trace": "hidden\r\nSet: y"]), "X-Trace"),
            (.get("x", headers: ["X-Trace": "hidden\0"]), "X-Trace"),
            (.get("x", headers: ["X-Trace": "hidden\n"]), "X-Trace"),
            (.get("x", headers: ["X-Trace": "hidden\u{7F}"]), "X-Trace"),
            (.get("x", headers: ["": "hidden"]), "header field"), (.get("x", headers: ["X Trace": "hidden"]), "\"X\""),
            (.get("x", headers: ["X-A: hidden": ""]), "X-A"), (.get("x", headers: ["X\n": "hidden"]), "header field"),
            (.get("x", headers: ["X\0": "hidden"]), "header field"),
            (.get("x", headers: ["Ü": "hidden"]), "header field"),
            (.get("x", headers: ["content-length": "3"]), "Content-Length"),
            (.get("x", headers: ["Transfer-Encoding": "chunked"]), "Transfer-Encoding"),
            (Request(method: .post, path: "x", parameters: ["a": 1], body: .text("hidden")), "parameters"),
            (.post("x", body: .json(.double(.nan))), "finite"), (.post("x", body: .json(.number("1,2"))), "number"),
            (.post("x", body: .json(parameters: ["a": 1, "a": 2])), "same name"),
            (.post("x", body: .json(["hidden": Double.infinity])), "encode"),
            (.post("x", body: .json(Failing())), "encode"),
            (Request(method: .get, path: "x", timeout: .zero), "timeout"),
        ] as [(Request<Void>, String)]
    )
    func refusesRequests(request: Request<Void>, hint: String) {
        let error = #expect(throws: RepositoryError.self) { try configuration.makeHTTPRequest(from: request) }

        guard case .invalidRequest(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains(hint) && !reason.contains("hidden: ") && !reason.contains("hidden\r"), "\(reason)")
        #expect(reason.utf8.allSatisfy { $0 >= 0x20 })
    }

    @Test("bounds how deep a body may be nested")
    func boundsDepth() {
        var value = JSONValue.null
        for _ in 0..<600 { value = .array([value]) }
        let deep = value

        #expect(throws: RepositoryError.self) {
            try configuration.makeHTTPRequest(from: Request<Void>.post("x", body: .json(deep)))
        }
        #expect(throws: RepositoryError.self) {
            try configuration.makeHTTPRequest(from: Request<Void>.get("x", query: ["a": deep]))
        }
    }

    @Test("writes member names as the options say")
    func convertsNames() throws {
        var snake = configuration
        snake.decoding.keys = .convertFromSnakeCase

        let encoded = try snake.makeHTTPRequest(from: Request<Void>.post("x", body: .json(["publishDate": 1])))
        let body = try #require(encoded.body?.data)

        #expect(String(decoding: body, as: UTF8.self) == #"{"publishDate":1}"#)
        let typed = try snake.makeHTTPRequest(from: Request<Void>.post("x", body: .json(Named(publishDate: 1))))
        #expect(typed.body?.data == Data(#"{"publish_date":1}"#.utf8))
    }
}

private struct Bookmark: Encodable, Sendable {
    let title: String
    let on: Date
}

private struct Named: Encodable, Sendable {
    let publishDate: Int
}

private struct Failing: Encodable, Sendable {
    struct Secret: Error {
        let text = "hidden"
    }

    func encode(to encoder: any Encoder) throws { throw Secret() }
}
