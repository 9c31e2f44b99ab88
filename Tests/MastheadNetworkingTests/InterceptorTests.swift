import FoundationEssentials
import MastheadLock
import MastheadNetworking
import Testing

@Suite("An interceptor")
struct InterceptorTests {
    /// The calls a repository offers; every one of them goes the same way.
    enum Call: CaseIterable, Sendable {
        case decoded, empty, raw, pollingDecoded, pollingEmpty, pollingRaw

        func run(on repository: AbstractRepository) async -> RepositoryError? {
            switch self {
            case .decoded: await repository.perform(Request<Volume?>.get("volumes")).failure
            case .empty: await repository.perform(Request<Void>.get("volumes")).failure
            case .raw: await repository.performRaw(.get("volumes")).failure
            case .pollingDecoded: await repository.performPolling(Request<Volume?>.get("volumes")).failure
            case .pollingEmpty: await repository.performPolling(Request<Void>.get("volumes")).failure
            case .pollingRaw: await repository.performPolling(Request<HTTPResponse>.get("volumes")).failure
            }
        }
    }

    @Test("changes the request and sees the answer of every kind of call", arguments: Call.allCases)
    func everyCall(call: Call) async throws {
        let diary = Diary()
        let executor = ClosureExecutor(answers: [.answer(204)])
        let repository = AbstractRepository(
            configuration: .test { $0.interceptor = diary.interceptor("a") },
            executor: executor
        )
        #expect(await call.run(on: repository) == nil)
        #expect(diary.entries == ["a sends", "a got 204 of volumes"])
        #expect(executor.requests.first?.headers["X-Seen"] == "a")
    }

    @Test("is one of several, in the order they were written")
    func chain() async throws {
        let diary = Diary()
        let executor = ClosureExecutor(answers: [.answer(204)])
        let chain: RequestInterceptorChain = [diary.interceptor("a"), diary.interceptor("b")]
        let repository = AbstractRepository(configuration: .test { $0.interceptor = chain }, executor: executor)
        #expect(await Call.empty.run(on: repository) == nil)
        #expect(diary.entries == ["a sends", "b sends", "a got 204 of volumes", "b got 204 of volumes"])
        #expect(executor.requests.first?.headers["X-Seen"] == "b")
    }

    @Test("ends the call with the error it throws, before anything is sent", arguments: Call.allCases)
    func refuses(call: Call) async throws {
        let executor = ClosureExecutor(answers: [.answer(204)])
        let repository = AbstractRepository(
            configuration: .test { $0.interceptor = RequestInterceptorChain([Refusing(), Refusing()]) },
            executor: executor
        )
        guard case .customError(CallError.closed)? = await call.run(on: repository) else {
            Issue.record("expected the interceptor's error")
            return
        }
        #expect(executor.requests.isEmpty)
    }

    @Test("runs again for a poll, and not again for a redirect")
    func pollsAndRedirects() async throws {
        let diary = Diary()
        let executor = ClosureExecutor(answers: [
            .answer(302, ["Location": "/elsewhere"]), .answer(202), .answer(200, body: "null"),
        ])
        let repository = AbstractRepository(
            configuration: .test {
                $0.interceptor = diary.interceptor("a")
                $0.time = JumpingTime()
            },
            executor: executor
        )
        #expect(await Call.pollingDecoded.run(on: repository) == nil)
        #expect(diary.entries == ["a sends", "a got 202 of volumes", "a sends", "a got 200 of volumes"])
        #expect(executor.requests.map { $0.url.path() } == ["/v2/volumes", "/elsewhere", "/v2/volumes"])
    }

    @Test("sees a refusal before it becomes an error")
    func seesRefusals() async {
        let diary = Diary()
        let repository = AbstractRepository(
            configuration: .test { $0.interceptor = diary.interceptor("a") },
            executor: ClosureExecutor(answers: [.answer(500)])
        )
        #expect(await Call.raw.run(on: repository) != nil)
        #expect(diary.entries == ["a sends", "a got 500 of volumes"])
    }

    @Test("case 23: cannot put a second request, a foreign scheme or a user on the wire", arguments: Tampering.allCases)
    func cannotTamper(how: Tampering) async throws {
        let executor = ClosureExecutor(answers: [.answer(204)])
        let intercepted = AbstractRepository(configuration: .test { $0.interceptor = how }, executor: executor)
        let prepared = TamperedRepository(configuration: .test(), how: how, executor: executor)
        for repository in [intercepted, prepared] {
            switch await Call.empty.run(on: repository) {
            case .invalidRequest?, .invalidURL?: break
            case let other: Issue.record("expected a refusal of \(how), got \(String(describing: other))")
            }
        }
        #expect(executor.requests.isEmpty)
    }

    @Test("comes after the repository's own preparation")
    func afterPrepare() async {
        let executor = ClosureExecutor(answers: [.answer(204)])
        let repository = SigningRepository(
            configuration: .test { $0.interceptor = Diary().interceptor("a") },
            executor: executor
        )
        #expect(await Call.empty.run(on: repository) == nil)
        #expect(executor.requests.first?.headers["X-Signature"] == "of an unseen request")
    }
}

private enum CallError: CustomRepositoryError, Equatable { case closed }

private struct Refusing: RequestInterceptor {
    func willSend(_ request: inout HTTPRequest) async throws(RepositoryError) {
        throw .customError(CallError.closed)
    }
}

/// Keeps what interceptors saw, in order.
private final class Diary: Sendable {
    private let lines = Lock<[String]>([])

    var entries: [String] { lines.withLock { $0 } }

    func note(_ line: String) { lines.withLock { $0.append(line) } }

    func interceptor(_ name: String) -> any RequestInterceptor { Noting(name: name, diary: self) }

    private struct Noting: RequestInterceptor {
        let name: String
        let diary: Diary

        func willSend(_ request: inout HTTPRequest) async throws(RepositoryError) {
            request.headers["X-Seen"] = name
            diary.note("\(name) sends")
        }

        func didReceive(_ response: HTTPResponse, for request: HTTPRequest) async {
            diary.note("\(name) got \(response.status) of \(request.url.lastPathComponent)")
        }
    }
}

/// What must not reach the wire, whoever wrote it into the request.
enum Tampering: CaseIterable, RequestInterceptor {
    case lineBreakInValue, lineBreakInName, nulInValue, emptyName, spaceInMethod, lineBreakInMethod, fileURL, userInURL
    case noHost, framing, length, bodyOfHead

    func willSend(_ request: inout HTTPRequest) async throws(RepositoryError) { apply(to: &request) }

    func apply(to request: inout HTTPRequest) {
        switch self {
        case .lineBreakInValue: request.headers["X-A"] = "b\r\nX-Evil: 1"
        case .lineBreakInName: request.headers["X-A\r\nX-Evil"] = "1"
        case .nulInValue: request.headers["X-A"] = "b\0c"
        case .emptyName: request.headers[""] = "b"
        case .spaceInMethod: request.method = "GET /evil"
        case .lineBreakInMethod: request.method = "GET\r\n"
        case .fileURL: request.url = URL(filePath: "/etc/passwd")
        case .userInURL: request.url = URL(string: "https://user:pw@api.example.com/") ?? request.url
        case .framing: request.headers["transfer-encoding"] = "chunked"
        case .length: request.headers["content-length"] = "7"
        case .bodyOfHead:
            request.method = .head
            request.body = .data(Data("x".utf8))
        case .noHost: request.url = URL(string: "https:///x") ?? URL(filePath: "/")
        }
    }
}

private final class TamperedRepository: AbstractRepository, @unchecked Sendable {
    private let how: Tampering

    init(configuration: NetworkingConfiguration, how: Tampering, executor: any RequestExecutor) {
        self.how = how
        super.init(configuration: configuration, executor: executor)
    }

    override func prepare(_ request: inout HTTPRequest) throws(RepositoryError) { how.apply(to: &request) }
}

private final class SigningRepository: AbstractRepository, @unchecked Sendable {
    override func prepare(_ request: inout HTTPRequest) throws(RepositoryError) {
        request.headers["X-Signature"] = "of \(request.headers["X-Seen"] == nil ? "an unseen" : "a seen") request"
    }
}
