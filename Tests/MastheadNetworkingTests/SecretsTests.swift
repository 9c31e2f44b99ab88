import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

/// Plants a secret of its own in every place that may hold one, and looks for each of them in every sink.
///
/// Not looked at are values that are an app's own data by their nature, as its decoded models are: ``JSONValue`` and
/// ``ServerSentEvent``.
@Suite("Secrets")
struct SecretsTests {
    /// Where a secret is planted.
    enum Place: String, CaseIterable {
        case authorization, cookie, apiKey, ownHeader, namedHeader, referer, mailHeader, idempotencyKey, clientKey
        case queryToken, queryMail, pathMail, jsonBody, formBody, interceptor, proxyAuthorization
        case setCookie, answerHeader, locationToken, jsonAnswer, textAnswer, refusalBody, fragment, multipart
        case appError, repositoryHeader, movedMail

        /// The secret: letters alone, so that no encoding changes it.
        var secret: String { "plant" + rawValue.lowercased() + "x" }
    }

    private struct Interceptor: RequestInterceptor {
        let token = Place.interceptor.secret

        func willSend(_ request: inout HTTPRequest) {
            request.headers["Authorization"] = "Bearer \(Place.authorization.secret)"
        }
    }

    private enum AppError: CustomRepositoryError { case said(String) }

    private static func configuration(_ sinks: SecretSinks, _ level: RequestLogger.Level) -> NetworkingConfiguration {
        .test {
            $0.clientKey = Secret(Place.clientKey.secret)
            $0.secretHeaders.insert("X-Own")
            $0.defaultHeaders = ["X-Client": "key \(Place.clientKey.secret)"]
            $0.interceptor = [Interceptor()] as RequestInterceptorChain
            $0.logger = RequestLogger(level: level) { sinks.add("logger", $0) }
            $0.observer = sinks
            $0.tracing = Tracing()
            $0.retry = .standard
            $0.retry.maximumAttempts = 2
            $0.circuitBreaker = CircuitBreaker()
            $0.time = JumpingTime()
            $0.onDecodingFailure = { sinks.add($0) }
        }
    }

    private static let headers: HTTPHeaders = [
        "Cookie": "sid=\(Place.cookie.secret)", "X-Api-Key": Place.apiKey.secret, "X-Own": Place.ownHeader.secret,
        "X-Session-Token": Place.namedHeader.secret, "X-Reader": "\(Place.mailHeader.secret)@example.com",
        "Referer": "https://x.example/?token=\(Place.referer.secret)", "Idempotency-Key": Place.idempotencyKey.secret,
        "Proxy-Authorization": "Basic \(Place.proxyAuthorization.secret)", "tracestate": "a=b",
    ]

    private static let query: Parameters = [
        "limit": 20, "access_token": .string(Place.queryToken.secret),
        "q": .string("\(Place.queryMail.secret)@example.com"),
    ]

    private static let answers: [HTTPResponse] = [
        .answer(200, ["Content-Type": "application/json"], body: #"{"id": 7, "title": "\#(Place.jsonAnswer.secret)"}"#),
        .answer(200, ["Content-Type": "text/html"], body: "<html>\(Place.textAnswer.secret)</html>"),
        .answer(
            403,
            ["Set-Cookie": "sid=\(Place.setCookie.secret)", "X-Auth-Token": Place.answerHeader.secret],
            body: #"{"message": "\#(Place.refusalBody.secret)"}"#
        ),
        .answer(
            307,
            [
                "Location":
                    "https://b.example/\(Place.movedMail.secret)@b.example?token=\(Place.locationToken.secret)#\(Place.fragment.secret)"
            ]
        ),
        .answer(503, ["Retry-After": "1"]),
    ]

    private static let requests: [Request<Volume>] = {
        let bodies: [RequestBody?] = [
            nil, .json(["password": .string(Place.jsonBody.secret)] as JSONValue),
            .form(["user": "a", "password": .string(Place.formBody.secret)]),
        ]
        return bodies.map { body in
            Request(
                method: body == nil ? .get : .put,
                path: "users/\(Place.pathMail.secret + "@example.com")",
                query: query,
                headers: headers,
                body: body
            )
        }
    }()

    @Test(
        "reach no sink, wherever they were planted",
        .timeLimit(.minutes(1)),
        arguments: [RequestLogger.Level.errors, .requests, .bodies]
    )
    func reachNoSink(level: RequestLogger.Level) async throws {
        let sinks = SecretSinks()
        let events = NetworkEvents()
        let stream = events.events
        for request in Self.requests {
            for answer in Self.answers {
                var configuration = Self.configuration(sinks, level)
                for observer in [sinks, events] as [any NetworkObserver] {
                    configuration.observer = observer
                    let executor = ClosureExecutor(answers: [answer, Self.answers[2]])
                    let repository = AbstractRepository(
                        configuration: configuration,
                        defaultHeaders: ["X-Secret": Place.repositoryHeader.secret],
                        executor: executor
                    )
                    let result = await repository.perform(request)
                    if let error = result.failure { sinks.add(error) }
                    if case .requestError(let refusal)? = result.failure { sinks.add(refusal) }
                    for sent in executor.requests {
                        sinks.add(sent)
                        sinks.add(sent.headers)
                        sinks.add(sent.headers.fields)
                        sinks.add(sent.body as Any)
                        sinks.add("cURL", sent.curlCommand(for: configuration))
                    }
                    sinks.add(answer)
                    sinks.add(repository)
                    sinks.add(executor.requests)
                }
                sinks.add(configuration)
                sinks.add(configuration.interceptor as Any)
                sinks.add(configuration.logger as Any)
                sinks.add(configuration.tracing as Any)
                sinks.add(configuration.retryBudget as Any)
                sinks.add(configuration.circuitBreaker as Any)
                sinks.add(configuration.clientKey as Any)
            }
            sinks.add(request)
            sinks.add(request.path)
            sinks.add(request.query)
            sinks.add(request.query.elements)
            sinks.add(request.body as Any)
        }
        sinks.add(events)
        for await event in stream.prefix(60) { sinks.add(event) }
        sinks.add(RepositoryError.customError(AppError.said(Place.appError.secret)).description)
        sinks.add(MultipartForm.Part.field("password", Place.multipart.secret))
        sinks.add([.field("password", Place.multipart.secret)] as MultipartForm)

        let shown = Set(sinks.texts.map(\.name))
        for name in ["logger", "NetworkEvent", "CallRecord", "HTTPRequest", "RepositoryError", "cURL"] {
            #expect(shown.contains(name), "nothing was looked for in \(name)")
        }
        for place in Place.allCases {
            for name in sinks.names(showing: place.secret) { Issue.record("\(name) shows \(place)") }
        }
    }

    @Test("of a stream and of a download reach no sink either")
    func streams() async throws {
        let server = try ScriptedServer(.text("abc"), .text("abc"))
        defer { server.stop() }
        let sinks = SecretSinks()
        let repository = AbstractRepository(
            configuration: server.configuration {
                $0.secretHeaders.insert("X-Own")
                $0.observer = sinks
                $0.logger = RequestLogger(level: .bodies) { sinks.add("logger", $0) }
            }
        )
        let query: Parameters = ["token": .string(Place.queryToken.secret)]
        let stream = try await repository.performStreaming(.get("volumes", query: query, headers: Self.headers)).get()
        sinks.add(stream)
        let folder = FileManager.default.temporaryDirectory.appending(path: "masthead-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "a").path()
        sinks.add(try await repository.download(.get("volumes", query: query), to: path).get())
        for place in Place.allCases {
            for name in sinks.names(showing: place.secret) { Issue.record("\(name) shows \(place)") }
        }
        #expect(Set(sinks.texts.map(\.name)).isSuperset(of: ["logger", "ResponseStream", "DownloadedFile"]))
    }
}
