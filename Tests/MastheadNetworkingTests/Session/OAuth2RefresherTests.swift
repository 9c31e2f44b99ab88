import FoundationEssentials
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("OAuth2Refresher")
struct OAuth2RefresherTests {
    private let clock = ManualClock()
    private let credentials = SessionCredentials(accessToken: "old", refreshToken: "r 1+/=")

    private func outcome(
        of answer: HTTPResponse,
        _ executor: ClosureExecutor? = nil,
        secret: Secret? = nil,
        scope: [String] = []
    ) async -> Result<SessionCredentials, TokenRefreshError> {
        let refresher = OAuth2Refresher(
            configuration: .test {
                $0.time = clock
                $0.decoding.keys = .convertFromSnakeCase
                $0.retry = .standard
            },
            path: "oauth/token",
            clientID: "app 1",
            clientSecret: secret,
            scope: scope,
            executor: executor ?? ClosureExecutor(answers: [answer])
        )
        do throws(TokenRefreshError) {
            return .success(try await refresher.refresh(credentials))
        } catch {
            return .failure(error)
        }
    }

    private let granted = HTTPResponse.answer(
        200,
        body: #"{"access_token": "new", "token_type": "Bearer", "expires_in": 3600, "refresh_token": "r2"}"#
    )

    @Test("posts the form of RFC 6749, section 6, as a public client and as one with a secret")
    func request() async throws {
        let executor = ClosureExecutor(answers: [granted])
        _ = try await outcome(of: granted, executor, scope: ["read", "buy"]).get()
        _ = try await outcome(of: granted, executor, secret: "s:1 é").get()

        let requests = executor.requests
        #expect(requests.map(\.method) == [.post, .post])
        #expect(requests[0].url.absoluteString == "https://api.example.com/v2/oauth/token")
        #expect(requests[0].headers["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(requests[0].headers["Authorization"] == nil)
        #expect(
            requests[0].body?.data.map { String(decoding: $0, as: UTF8.self) }
                == "grant_type=refresh_token&refresh_token=r+1%2B%2F%3D&scope=read+buy&client_id=app+1"
        )
        #expect(
            requests[1].body?.data.map { String(decoding: $0, as: UTF8.self) }
                == "grant_type=refresh_token&refresh_token=r+1%2B%2F%3D"
        )
        #expect(
            requests[1].headers["Authorization"]
                == "Basic " + Data("app+1:s%3A1+%C3%A9".utf8).base64EncodedString()
        )
    }

    @Test("takes the new refresh token, or keeps the old one")
    func rotation() async throws {
        #expect(
            try await outcome(of: granted).get()
                == SessionCredentials(accessToken: "new", refreshToken: "r2", expiry: clock.date + 3600)
        )
        #expect(
            try await outcome(of: .answer(200, body: #"{"access_token": "new"}"#)).get()
                == SessionCredentials(accessToken: "new", refreshToken: "r 1+/=")
        )
    }

    @Test(
        "reads a life as a number or a text, and no nonsense",
        arguments: [
            ("60", 60.0), (#""60""#, 60), ("0", 0), ("null", nil), ("-5", nil), (#""soon""#, nil), ("1e300", nil),
            ("[]", nil),
        ]
    )
    func life(text: String, seconds: Double?) async throws {
        let answer = HTTPResponse.answer(200, body: #"{"access_token": "new", "expires_in": \#(text)}"#)
        #expect(try await outcome(of: answer).get().expiry == seconds.map { clock.date + $0 })
    }

    @Test(
        "tells a session that is over from a server in trouble",
        arguments: [
            (400, #"{"error": "invalid_grant"}"#, true), (401, #"{"error": "invalid_grant"}"#, true), (400, "", true),
            (401, "<html>", true), (400, #"{"error": "strange"}"#, true), (400, #"{"error": "invalid_client"}"#, false),
            (401, #"{"error": "invalid_client"}"#, false), (400, #"{"error": "invalid_request"}"#, false),
            (400, #"{"error": "unsupported_grant_type"}"#, false), (400, #"{"error": "unauthorized_client"}"#, false),
            (400, #"{"error": "invalid_scope"}"#, false), (403, #"{"error": "invalid_grant"}"#, false),
            (404, "", false),
            (429, "", false), (500, #"{"error": "invalid_grant"}"#, false), (503, "", false), (200, "<html>", false),
            (200, "{}", false), (307, "", false),
        ]
    )
    func refusals(status: Int, body: String, isFinal: Bool) async {
        let executor = ClosureExecutor(answers: [.answer(status, ["Location": "https://evil.example/"], body: body)])
        switch await outcome(of: granted, executor) {
        case .failure(.refused): #expect(isFinal)
        case .failure(.failed): #expect(!isFinal)
        case .success: Issue.record("there is nothing to succeed with")
        }
        #expect(executor.requests.count == 1, "neither again nor elsewhere")
    }

    @Test("does not ask without a refresh token")
    func withoutToken() async {
        let executor = ClosureExecutor(answers: [granted])
        let refresher = OAuth2Refresher(configuration: .test(), path: "token", clientID: "app", executor: executor)
        for token in [nil, ""] as [Secret?] {
            do throws(TokenRefreshError) {
                _ = try await refresher.refresh(SessionCredentials(accessToken: "old", refreshToken: token))
                Issue.record("expected a refusal")
            } catch {
                guard case .refused = error else {
                    Issue.record("got \(error)")
                    return
                }
            }
        }
        #expect(executor.requests.isEmpty)
    }
}
