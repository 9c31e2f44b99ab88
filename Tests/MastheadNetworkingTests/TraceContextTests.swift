import FoundationEssentials
import MastheadLock
import MastheadNetworking
import Testing

@Suite("A trace's context")
struct TraceContextTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let span = "00f067aa0ba902b7"

    @Test("is read from a field and written as one")
    func reads() throws {
        let context = try #require(TraceContext("00-\(Self.trace)-\(Self.span)-01"))
        #expect(context.traceID == Self.trace && context.spanID == Self.span && context.isSampled)
        #expect("\(context)" == "00-\(Self.trace)-\(Self.span)-01")
        #expect(TraceContext("00-\(Self.trace)-\(Self.span)-00")?.isSampled == false)
    }

    @Test(
        "takes of a later version what it knows, and of flags the one",
        arguments: ["00-%-03", "00-%-ff", "01-%-01", "cc-%-01-what-the-future-will-be-like", "cc-%-01-"]
    )
    func readsLater(form: String) {
        let field = form.replacing("%", with: "\(Self.trace)-\(Self.span)")
        #expect(TraceContext(field).map { "\($0)" } == "00-\(Self.trace)-\(Self.span)-01")
    }

    @Test(
        "is none if the field is not as it must be",
        arguments: [
            "", "00", "00-%", "00-%-1", "00-%-01-", "00-%-01-x", "ff-%-01", "0-%-001", "00-%-0g", "00-%-0A",
            "cc-%-01.x",
            " 00-%-01", "00-%-01 ", "00_%-01", "0G-%-01", "00-%-01\u{301}",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473600-f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7001",
        ]
    )
    func refuses(form: String) {
        #expect(TraceContext(form.replacing("%", with: "\(Self.trace)-\(Self.span)")) == nil)
    }

    @Test("has a child in the same trace")
    func makesChildren() {
        let root = TraceContext(isSampled: false)
        let child = root.child()
        #expect(child.traceID == root.traceID && child.spanID != root.spanID && !child.isSampled)
        #expect(TraceContext("\(child)") == child)
        #expect(root != TraceContext(isSampled: false))
    }

    @Test("never has the number 0", arguments: [UInt64.min, 1, .max])
    func numbers(bits: UInt64) {
        let context = TraceContext(isSampled: true) { bits }
        #expect(TraceContext("\(context)") == context)
        #expect(TraceContext("\(context.child { bits })") != nil)
    }
}

@Suite("Tracing")
struct TracingTests {
    private let log = EventLog()

    private func repository(
        _ answers: [HTTPResponse],
        _ tracing: Tracing? = Tracing(),
        _ configure: (inout NetworkingConfiguration) -> Void = { _ in }
    ) -> (AbstractRepository, ClosureExecutor) {
        let executor = ClosureExecutor(answers: answers)
        let repository = AbstractRepository(
            configuration: .test {
                $0.tracing = tracing
                $0.observer = log
                $0.time = JumpingTime()
                configure(&$0)
            },
            executor: executor
        )
        return (repository, executor)
    }

    /// What each request carried.
    private func contexts(_ executor: ClosureExecutor) throws -> [TraceContext] {
        try executor.requests.map { request in
            #expect(request.headers.values(of: "traceparent").count == 1)
            return try #require(request.headers["traceparent"].flatMap { TraceContext($0) })
        }
    }

    @Test("gives each attempt a span of its own in the call's trace, and tells of it")
    func traces() async throws {
        let answers: [HTTPResponse] = [.answer(503), .answer(307, ["Location": "/b"]), .answer(202), .answer(204)]
        let (repository, executor) = repository(answers) { $0.retry = .standard }
        try await repository.performPolling(Request<Void>.get("volumes")).get()
        let contexts = try contexts(executor)
        #expect(
            contexts.count == 4 && Set(contexts.map(\.traceID)).count == 1 && Set(contexts.map(\.spanID)).count == 4
        )
        #expect(contexts.map(\.isSampled) == [true, true, true, true])
        let told = log.events.compactMap { if case .attemptFinished = $0.kind { $0.trace } else { nil } }
        #expect(told == contexts)
        let ofCall = log.events.filter { if case .callFinished = $0.kind { true } else { false } }.compactMap(\.trace)
        #expect(ofCall.map(\.traceID) == [contexts[0].traceID] && !contexts.map(\.spanID).contains(ofCall[0].spanID))
    }

    @Test("continues what the call, its interceptor or the app says, in this order", arguments: 0..<3)
    func continues(first: Int) async throws {
        let own = [TraceContext(isSampled: false), TraceContext(isSampled: false), TraceContext(isSampled: false)]
        let (repository, executor) = repository([.answer(204)], Tracing { own[2] }) {
            if first == 1 { $0.interceptor = Setting(field: "\(own[1])") }
        }
        let headers: HTTPHeaders = first == 0 ? ["Traceparent": "\(own[0])", "tracestate": "a=b"] : [:]
        try await repository.perform(Request<Void>.get("volumes", headers: headers)).get()
        let context = try #require(try contexts(executor).first)
        #expect(context.traceID == own[first].traceID && context.spanID != own[first].spanID && !context.isSampled)
        #expect(executor.requests[0].headers["tracestate"] == (first == 0 ? "a=b" : nil))
    }

    @Test("leaves a field alone that is none, and every field if it is off")
    func leavesAlone() async throws {
        for (tracing, field) in [(Tracing(), "what"), (nil, "what"), (nil, "\(TraceContext())")] {
            let (repository, executor) = repository([.answer(204)], tracing)
            try await repository.perform(Request<Void>.get("volumes", headers: ["traceparent": field])).get()
            #expect(executor.requests[0].headers.values(of: "traceparent") == [field])
        }
        let (repository, executor) = repository([.answer(204)], nil)
        try await repository.perform(Request<Void>.get("volumes")).get()
        #expect(executor.requests[0].headers["traceparent"] == nil)
    }

    @Test("stays with the origin that was asked, and does not come back after another")
    func staysAtOrigin() async throws {
        let answers: [HTTPResponse] = [
            .answer(302, ["Location": "/b"]), .answer(302, ["Location": "https://other.example/c"]),
            .answer(302, ["Location": "https://api.example.com/d"]), .answer(204),
        ]
        let (repository, executor) = repository(answers)
        try await repository.perform(Request<Void>.get("volumes", headers: ["tracestate": "a=b"])).get()
        #expect(executor.requests.map { $0.headers["traceparent"] != nil } == [true, true, false, false])
        #expect(executor.requests.map { $0.headers["tracestate"] } == ["a=b", "a=b", nil, nil])
    }
}

/// Sets a `traceparent` field.
private struct Setting: RequestInterceptor {
    let field: String

    func willSend(_ request: inout HTTPRequest) { request.headers["traceparent"] = field }
}
