import Foundation
import MastheadNetworking
import Testing

extension HTTPBinTests {
    @Suite("credentials, validators and cookies")
    struct Sessions {
        struct Verdict: Decodable, Sendable, Equatable {
            let authenticated: Bool
            let token: String?
            let user: String?
        }

        @Test("a bearer token opens what is closed without it")
        func bearer() async throws {
            let repository = try HTTPBinRepository.current()
            let closed: Result<Verdict, RepositoryError> = await repository.value("bearer")
            let open: Verdict = try await repository.value("bearer", headers: ["Authorization": "Bearer t0ken"]).get()

            guard case .failure(.requestError(let refusal)) = closed else {
                Issue.record("expected requestError, got \(closed)")
                return
            }
            #expect(refusal.status == 401)
            #expect(open == Verdict(authenticated: true, token: "t0ken", user: nil))
        }

        @Test("a name and a password open what is closed to others")
        func basic() async throws {
            let repository = try HTTPBinRepository.current()
            let right = "Basic " + Data("ada:lovelace".utf8).base64EncodedString()
            let wrong = "Basic " + Data("ada:byron".utf8).base64EncodedString()
            let open: Verdict = try await repository.value("basic-auth/ada/lovelace", headers: ["Authorization": right])
                .get()
            let closed: Result<Verdict, RepositoryError> = await repository.value(
                "basic-auth/ada/lovelace",
                headers: ["Authorization": wrong]
            )
            let hidden: Result<Verdict, RepositoryError> = await repository.value("hidden-basic-auth/ada/lovelace")

            #expect(open == Verdict(authenticated: true, token: nil, user: "ada"))
            guard case .failure(.requestError(let plain)) = closed, case .failure(.requestError(let refusal)) = hidden
            else {
                Issue.record("got \(closed) and \(hidden)")
                return
            }
            #expect(plain.status == 401)
            #expect(refusal.status == 404)
        }

        @Test("a cookie that a server sets is not sent back")
        func cookies() async throws {
            let repository = try HTTPBinRepository.current()
            let set = try await repository.raw(.get("response-headers", query: ["Set-Cookie": "a=b; Path=/"])).get()
            // Sets one and redirects to the list of those that came back.
            let after: JSONValue = try await repository.value("cookies/set", query: ["c": "d"]).get()
            let later: JSONValue = try await repository.value("cookies").get()

            #expect(set.headers["Set-Cookie"] == "a=b; Path=/")
            #expect(after == ["cookies": [:]])
            #expect(later == ["cookies": [:]])
        }

        @Test("what has not changed is 304 and no body")
        func notModified() async throws {
            let repository = try HTTPBinRepository.current()
            let first = try await repository.raw(.get("etag/v1")).get()
            let second = try await repository.raw(.get("etag/v1", headers: ["If-None-Match": "v1"])).get()

            #expect(first.headers["ETag"] == "v1")
            #expect(!first.body.isEmpty)
            #expect(second.status == 304)
            #expect(second.body.isEmpty)
        }

        @Test("what changed meanwhile is refused with 412")
        func preconditionFailed() async throws {
            guard
                case .failure(.requestError(let refusal)) = try await HTTPBinRepository.current()
                    .raw(.get("etag/v1", headers: ["If-Match": "v0"]))
            else {
                Issue.record("expected requestError")
                return
            }
            #expect(refusal.status == 412)
        }

        @Test("a range is a part of the whole")
        func range() async throws {
            let repository = try HTTPBinRepository.current()
            let whole = try await repository.raw(.get("range/1000")).get()
            let part = try await repository.raw(.get("range/1000", headers: ["Range": "bytes=100-199"])).get()

            #expect(part.status == 206)
            #expect(part.headers["Content-Range"] == "bytes 100-199/1000")
            #expect(part.body == whole.body[100..<200])
        }
    }
}
