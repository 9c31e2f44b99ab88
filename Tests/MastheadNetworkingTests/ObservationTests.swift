import FoundationEssentials
import MastheadLock
import MastheadNetworking
import Testing

@Suite("What is told of a call")
struct ObservationTests {
    /// Planted wherever a secret may be; no sink may show it.
    private static let secret = "pl4nted"

    /// Collects the lines of a logger.
    private final class Sink: Sendable {
        private let collected = Lock<[String]>([])
        var lines: [String] { collected.withLock { $0 } }
        var text: String { lines.joined(separator: "\n") }

        func logger(_ level: RequestLogger.Level) -> RequestLogger {
            RequestLogger(level: level) { line in self.collected.withLock { $0.append(line) } }
        }
    }

    private static func configuration(_ logger: RequestLogger? = nil) -> NetworkingConfiguration {
        .test {
            $0.logger = logger
            $0.clientKey = Secret("key-\(secret)")
            $0.secretHeaders.insert("x-mine")
            $0.defaultHeaders = ["Authorization": "method=clientkey,token=key-\(secret)"]
            $0.time = JumpingTime()
            $0.interceptor = TokenHolder(token: secret)
        }
    }

    @Test(
        "takes a name for a secret's by its words, whatever they are written in",
        arguments: [
            "token", "accessToken", "ACCESS_TOKEN", "access-token", "token2Id", "user[token]", "éToken",
            "token\u{2013}id", "token\u{2167}", "Token\u{2167}Id",
        ]
    )
    func secretNames(name: String) {
        let redaction = Redaction(Self.configuration())
        #expect(redaction.isSecret(name: name) == (name != "token2Id"))
        #expect(!redaction.isSecret(name: "e" + name.lowercased().filter(\.isLetter)))
    }

    private static let request: Request<Volume> = {
        var request = Request<Volume>(
            method: .post,
            path: "volumes",
            query: [
                "limit": 20, "access_token": .string(secret), "user[email]": .string("\(secret)@example.com"),
                "apiKey": .string(secret), "q": .string("\(secret)@example.com"),
            ],
            headers: [
                "X-Mine": secret, "Cookie": secret, "X-Auth-Token": secret, "X-Reader": "\(secret)@example.com",
                "X-Via": "key-\(secret)", "Referer": "https://x/?token=\(secret)",
            ],
            body: .data(Data(#"{"password":"\#(secret)","limit":3}"#.utf8), contentType: "application/json")
        )
        request.timeout = .seconds(5)
        return request
    }()

    private static let refusal = HTTPResponse.answer(
        403,
        ["Set-Cookie": "sid=\(secret)", "Content-Type": "application/json", "X-Session-Id": secret],
        body: #"{"message":"\#(secret) is wrong"}"#
    )

    @Test(
        "no line of any level shows a secret",
        arguments: [RequestLogger.Level.errors, .requests, .bodies],
        [
            HTTPResponse.answer(302, ["Location": "https://media.example.com/a?token=pl4nted"]),
            refusal,
            HTTPResponse.answer(200, body: #"{"id": 1, "title": "pl4nted"}"#),
            HTTPResponse.answer(200, ["Content-Type": "text/html"], body: "<html>pl4nted</html>"),
        ]
    )
    func redacts(level: RequestLogger.Level, answer: HTTPResponse) async {
        let sink = Sink()
        let configuration = Self.configuration(sink.logger(level))
        let executor = ClosureExecutor(answers: [answer, Self.refusal])
        let result = await AbstractRepository(configuration: configuration, executor: executor).perform(Self.request)
        #expect(result.failure != nil)
        #expect(!sink.lines.isEmpty)
        #expect(!sink.text.contains(Self.secret))
    }

    @Test("no description, dump or cURL line shows a secret")
    func redactsValues() async throws {
        let executor = ClosureExecutor(answers: [Self.refusal])
        let configuration = Self.configuration()
        let repository = AbstractRepository(configuration: configuration, executor: executor)
        let error = try #require(await repository.perform(Self.request).failure)
        let sent = try #require(executor.requests.first)
        let values: [Any] = [
            error, sent, Self.request, configuration, Self.refusal, sent.headers, Self.request.query,
            configuration.clientKey as Any,
            [sent], RepositoryError.customError(Blabbing.said(Self.secret)),
        ]
        var text = sent.curlCommand(for: configuration)
        for value in values {
            text += "\(value)" + String(reflecting: value)
            if !(value is RepositoryError) || "\(value)" == "\(error)" { dump(value, to: &text) }
        }
        #expect(!text.contains(Self.secret))
        #expect(text.contains("access_token"))
    }

    @Test("a logger of errors tells of failures alone")
    func levels() async {
        let fine = Sink()
        let failed = Sink()
        for (sink, status) in [(fine, 204), (failed, 500)] {
            let repository = AbstractRepository(
                configuration: .test { $0.logger = sink.logger(.errors) },
                executor: ClosureExecutor(answers: [.answer(status)])
            )
            _ = await repository.perform(Request<Void>.get("volumes"))
        }
        #expect(fine.lines.isEmpty)
        #expect(failed.lines.count == 1)
        #expect(failed.text.hasPrefix("! refused: status 500, 0 bytes: curl "))
    }

    @Test("a logger of requests tells of each exchange and its answer")
    func tellsExchanges() async {
        let sink = Sink()
        let time = JumpingTime()
        let answers = [HTTPResponse.answer(307, ["Location": "/b?token=x&page=2"]), .answer(200, body: "null")]
        let next = Lock(0)
        let executor = ClosureExecutor { (_) async throws(RepositoryError) in
            time.pass(.milliseconds(12))
            return answers[
                next.withLock { place in
                    defer { place += 1 }
                    return place
                }
            ]
        }
        let repository = AbstractRepository(
            configuration: .test {
                $0.logger = sink.logger(.requests)
                $0.time = time
            },
            executor: executor
        )
        _ = await repository.perform(Request<Volume?>.get("volumes"))
        #expect(
            sink.lines == [
                "> GET https://api.example.com/v2/volumes",
                "< 307 GET https://api.example.com/v2/volumes, 0 bytes, 12 ms",
                "> GET https://api.example.com/b?token=[redacted]&page=2",
                "< 200 GET https://api.example.com/b?token=[redacted]&page=2, 4 bytes, 12 ms",
            ]
        )
    }

    @Test("a server's bytes start no line and steer no terminal")
    func escapes() async {
        let sink = Sink()
        let answer = HTTPResponse.answer(200, ["X-A": "b\r\nc\u{1B}[31m"], body: "null")
        let repository = AbstractRepository(
            configuration: .test { $0.logger = sink.logger(.bodies) },
            executor: ClosureExecutor(answers: [answer])
        )
        _ = await repository.perform(Request<Volume?>.get("volumes"))
        #expect(sink.lines.contains(#"<   X-A: b\u{d}\u{a}c\u{1b}[31m"#))
    }

    @Test(
        "a form shows its fields' names and no value, named or not",
        arguments: [
            ("pl4nted", "…"), ("a=pl4nted&pl4nted", "a=…&…"), ("it%40pl4nted.example=1", "[redacted]=…"),
            ("user=pl4nted&x", "user=…&…"), ("", ""),
        ]
    )
    func form(body: String, shown: String) throws {
        let request = HTTPRequest(
            method: .post,
            url: try #require(URL(string: "https://api.example.com/")),
            headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: .data(Data(body.utf8))
        )
        #expect(request.curlCommand(for: .test()).contains("--data-raw '\(shown)'"))
    }

    @Test("a cURL line is quoted for a shell")
    func quotes() throws {
        let request = HTTPRequest(
            method: "PURGE",
            url: try #require(URL(string: "https://api.example.com/it's?a=1&b=2")),
            headers: ["X-A": "it's $HOME", "Authorization": "Bearer x"],
            body: .data(Data("a=1&b=2".utf8))
        )
        #expect(
            request.curlCommand(for: .test())
                == #"curl --request 'PURGE' --header 'X-A: it'\''s $HOME' --header 'Authorization: [redacted]' "#
                + #"--data-raw '[7 bytes]' 'https://api.example.com/it'\''s?a=1&b=2'"#
        )
    }
}

/// An app's interceptor that holds a secret.
private struct TokenHolder: RequestInterceptor {
    let token: String
}

/// An app's error that says too much when it is asked to describe itself.
private enum Blabbing: CustomRepositoryError { case said(String) }
