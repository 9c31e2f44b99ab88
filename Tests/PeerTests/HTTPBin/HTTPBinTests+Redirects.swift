import Foundation
import MastheadNetworking
import Testing

extension HTTPBinTests {
    @Suite("redirects")
    struct Redirects {
        @Test("are followed to their end", arguments: ["redirect", "relative-redirect", "absolute-redirect"])
        func followed(kind: String) async throws {
            let response = try await HTTPBinRepository.current().raw(.get("\(kind)/4")).get()

            #expect(response.status == 200)
            #expect(response.url.path() == "/get")
            #expect(try response.decode(Echo.self).get().url.hasSuffix("/get"))
        }

        @Test("take the body along when the status says so", arguments: [307, 308])
        func kept(status: Int) async throws {
            let echo = try await HTTPBinRepository.current()
                .echo(.post("redirect-to", query: redirect(to: "/anything", status), body: .json(["a": 1])))
                .get()

            #expect(echo.method == "POST")
            #expect(echo.json == ["a": 1])
        }

        @Test("turn a POST into a GET without its body", arguments: [301, 302, 303])
        func turned(status: Int) async throws {
            let echo = try await HTTPBinRepository.current()
                .echo(.post("redirect-to", query: redirect(to: "/anything", status), body: .json(["a": 1])))
                .get()

            #expect(echo.method == "GET")
            #expect(echo.data == "")
            #expect(echo.headers["Content-Type"] == nil)
            #expect(echo.headers["Content-Length"] == nil)
        }

        @Test(
            "keep a PUT a PUT, and a DELETE a DELETE",
            arguments: [301, 302, 307, 308],
            [.put, .delete] as [HTTPMethod]
        )
        func otherMethods(status: Int, method: HTTPMethod) async throws {
            let request = Request<Echo>(method: method, path: "redirect-to", query: redirect(to: "/anything", status))
            let echo = try await HTTPBinRepository.current().echo(request).get()

            #expect(echo.method == method.rawValue)
        }

        @Test("end at the limit", arguments: [0, 1, 3])
        func limit(redirects: Int) async throws {
            let repository = try HTTPBinRepository.current { $0.maximumRedirects = redirects }
            if redirects > 0 { _ = try await repository.raw(.get("redirect/\(redirects)")).get() }
            let result = await repository.raw(.get("redirect/\(redirects + 1)"))

            switch result {
            case .failure(.tooManyRedirects(limit: redirects)) where redirects > 0: break
            case .failure(.requestError(let refusal)) where redirects == 0: #expect(refusal.status == 302)
            default: Issue.record("got \(result)")
            }
        }

        @Test("leave secrets behind when the host changes, and keep them when it stays")
        func secrets() async throws {
            let port = try #require(HTTPBin.current).port
            let repository = try HTTPBinRepository.current(headers: [
                "Authorization": "Bearer s3cret", "X-Api-Key": "k3y",
            ])
            let same = try await repository.echo(.get("redirect-to", query: redirect(to: "/anything", 302))).get()
            let other = try await repository.echo(
                .get("redirect-to", query: redirect(to: "http://localhost:\(port)/anything", 302))
            ).get()

            #expect(same.headers["Authorization"] == "Bearer s3cret")
            #expect(same.headers["X-Api-Key"] == "k3y")
            #expect(other.url.hasPrefix("http://localhost:\(port)/"))
            #expect(other.headers["Authorization"] == nil)
            #expect(other.headers["X-Api-Key"] == nil)
        }

        @Test(
            "lead nowhere but to http and https",
            arguments: ["file:///etc/hostname", "ftp://127.0.0.1/", "gopher://a/"]
        )
        func schemes(target: String) async throws {
            let result = try await HTTPBinRepository.current()
                .raw(.get("redirect-to", query: redirect(to: target, 302)))

            guard case .failure(.invalidURL) = result else {
                Issue.record("expected invalidURL, got \(result)")
                return
            }
        }

        private func redirect(to target: String, _ status: Int) -> Parameters {
            ["url": .string(target), "status_code": .int(Int64(status))]
        }
    }
}
