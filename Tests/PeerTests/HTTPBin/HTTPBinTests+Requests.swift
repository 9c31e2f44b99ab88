import Foundation
import MastheadNetworking
import Testing

extension HTTPBinTests {
    @Suite("requests")
    struct Requests {
        @Test("sends each method as it is", arguments: [.get, .post, .put, .patch, .delete] as [HTTPMethod])
        func methods(method: HTTPMethod) async throws {
            let echo = try await HTTPBinRepository.current().echo(.init(method: method, path: "anything")).get()

            #expect(echo.method == method.rawValue)
        }

        @Test("a HEAD has headers and no body, whatever length is promised")
        func head() async throws {
            let response = try await HTTPBinRepository.current().raw(.head("bytes/500")).get()

            #expect(response.status == 200)
            #expect(response.headers["Content-Length"] == "500")
            #expect(response.body.isEmpty)
        }

        @Test("an OPTIONS tells what is allowed")
        func options() async throws {
            let response = try await HTTPBinRepository.current().raw(.init(method: .options, path: "get")).get()

            let allowed = try #require(response.headers["Allow"]).split(separator: ", ")
            #expect(Set(allowed) == ["GET", "HEAD", "OPTIONS"])
        }

        @Test("a query keeps every reserved character, arrays and nesting")
        func query() async throws {
            let hostile = "a&b=c+d %25 é 😀 #?/\\\"'<>[]{}|^`~"
            let echo = try await HTTPBinRepository.current().echo(
                .get("get", query: ["q": .string(hostile), "tags": ["sea", "ports"], "range": ["from": 1, "to": 9]])
            ).get()

            #expect(echo.args["q"] == .string(hostile))
            #expect(echo.args["tags[]"] == ["sea", "ports"])
            #expect(echo.args["range[from]"] == "1")
            #expect(echo.args["range[to]"] == "9")
        }

        @Test(
            "a value in the path stays one segment",
            arguments: ["a?b", "a#b", "a%2Fb", "a+b", "a b", "ü", "😀", "a&b=c", "a;b", "..a", "a:b@c", "100%", "%00"]
        )
        func hostileSegments(value: String) async throws {
            let echo = try await HTTPBinRepository.current().echo(.get("anything/\(value)/end")).get()

            // httpbin gives the path back with only some of it encoded again, so both sides are compared decoded.
            let path = try #require(echo.url.firstRange(of: "/anything/").map { echo.url[$0.upperBound...] })
            #expect(path.hasSuffix("/end"))
            #expect(
                String(path.dropLast(4)).removingPercentEncoding == value.removingPercentEncoding
                    || path.dropLast(4) == value
            )
            #expect(echo.args == [:])
        }

        @Test("a dot segment is refused before anything is sent", arguments: [".", ".."])
        func dotSegments(value: String) async throws {
            let result = try await HTTPBinRepository.current().echo(.get("anything/\(value)"))

            guard case .failure(.invalidURL) = result else {
                Issue.record("expected invalidURL, got \(result)")
                return
            }
        }

        @Test("a form arrives as its fields", arguments: [.post, .put, .patch] as [HTTPMethod])
        func form(method: HTTPMethod) async throws {
            let fields: Parameters = ["name": "Ada & Söhne", "plus": "1+1=2", "line": "a\r\nb", "empty": ""]
            let echo = try await HTTPBinRepository.current()
                .echo(.init(method: method, path: "anything", body: .form(fields)))
                .get()

            #expect(echo.form == ["name": "Ada & Söhne", "plus": "1+1=2", "line": "a\r\nb", "empty": ""])
            #expect(echo.headers["Content-Type"] == "application/x-www-form-urlencoded")
        }

        @Test(
            "a JSON body arrives as it was",
            arguments: [
                ["title": "Ebbe & Flut", "pages": 96, "free": false, "price": 4.5, "sku": nil, "tags": ["sea", []]],
                ["a", "b", ["c": 1]],
                "one string",
                [],
            ] as [JSONValue]
        )
        func json(value: JSONValue) async throws {
            let echo = try await HTTPBinRepository.current().echo(.post("post", body: .json(value))).get()

            #expect(echo.json == value)
            #expect(echo.headers["Content-Type"]?.hasPrefix("application/json") == true)
        }

        @Test("a megabyte arrives whole")
        func bigBody() async throws {
            let text = String(repeating: "0123456789abcdef", count: 65_536)
            let echo = try await HTTPBinRepository.current().echo(.post("post", body: .text(text))).get()

            #expect(echo.data == text)
            #expect(echo.headers["Content-Length"] == "1048576")
        }

        @Test("parameters go into the query of a GET and into the body of a POST")
        func parameters() async throws {
            let repository = try HTTPBinRepository.current()
            let got = try await repository.echo(.init(method: .get, path: "anything", parameters: ["a": 1])).get()
            let posted = try await repository.echo(.init(method: .post, path: "anything", parameters: ["a": 1])).get()

            #expect(got.args == ["a": "1"])
            #expect(posted.args == [:])
            #expect(posted.json == ["a": 1])
        }

        @Test("a call's header wins over the repository's, and that over the configuration's")
        func headers() async throws {
            let repository = try HTTPBinRepository.current(headers: ["X-Edge": "repository", "X-Mine": "repository"]) {
                $0.defaultHeaders = ["X-Edge": "configuration", "X-Base": "configuration"]
            }
            let echo = try await repository.echo(.get("anything", headers: ["x-mine": "call"])).get()

            #expect(echo.headers["X-Base"] == "configuration")
            #expect(echo.headers["X-Edge"] == "repository")
            #expect(echo.headers["X-Mine"] == "call")
        }

        @Test("nothing is sent that was not asked for")
        func noExtras() async throws {
            let echo = try await HTTPBinRepository.current().echo(.get("anything")).get()

            let expected: Set = ["Host", "Accept", "Accept-Encoding", "User-Agent"]
            #expect(Set(echo.headers.keys).isSubset(of: expected), "\(echo.headers)")
        }

        @Test("an interceptor changes the request and sees the answer")
        func interceptor() async throws {
            let (statuses, seen) = AsyncStream<Int>.makeStream()
            let repository = try HTTPBinRepository.current { $0.interceptor = Tracer(seen: seen) }
            let echo = try await repository.echo(.get("anything")).get()
            seen.finish()

            #expect(echo.headers["X-Trace"] == "42")
            #expect(await statuses.reduce(into: []) { $0.append($1) } == [200])
        }
    }
}

private struct Tracer: RequestInterceptor {
    let seen: AsyncStream<Int>.Continuation

    func willSend(_ request: inout HTTPRequest) async throws(RepositoryError) {
        request.headers["X-Trace"] = "42"
    }

    func didReceive(_ response: HTTPResponse, for request: HTTPRequest) async {
        seen.yield(response.status)
    }
}
