import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("An outbox is one user's", .timeLimit(.minutes(1)))
struct OutboxSessionTests {
    private let session = SessionManager<Reader>(store: RecordingStore())

    private func logIn(_ name: String, token: String? = nil) async throws {
        try await session.login(Reader(name: name, token: token ?? name))
    }

    @Test("it sends with the token of the day, and keeps none")
    func token() async throws {
        let bench = try OutboxBench()
        try await logIn("ada", token: "t0ken-1")
        let outbox = try await bench.open(session: session)
        try await outbox.enqueue([.text("1"), .text("2")]).get()
        let credentials = SessionCredentials(accessToken: "t0ken-2")
        try await session.update(Reader(name: "ada"), credentials: credentials)
        #expect(await outbox.drain().sent == 2)
        #expect(bench.server.requests.map { $0.headers["Authorization"] } == ["Bearer t0ken-2", "Bearer t0ken-2"])
        for name in try FileManager.default.contentsOfDirectory(atPath: bench.place) {
            let bytes = FileManager.default.contents(atPath: "\(bench.place)/\(name)") ?? Data()
            #expect(!String(decoding: bytes, as: UTF8.self).contains("t0ken"))
            #expect(!name.contains("ada"))
        }
    }

    @Test("after the logout it sends nothing, whoever is logged in; the user's next outbox sends the rest")
    func logout() async throws {
        let gate = Milestones()
        let bench = try OutboxBench { request in
            if request.text == "1" { _ = try? await gate.reach(1) }
            return .answer(200)
        }
        try await logIn("ada")
        let outbox = try await bench.open(for: "ada", session: session)
        try await outbox.enqueue([.text("1"), .text("2"), .text("3", in: "b", after: [])]).get()
        let drain = Task { await outbox.drain() }
        await until { bench.sent.contains("1") && bench.sent.contains("3") }
        try await session.logout()
        try await logIn("bob")
        gate.change(by: 1)
        let ended = await drain.value
        #expect(ended.failure?.label == "unauthenticatedSession")
        try await outbox.enqueue(.text("4")).get()
        #expect(await outbox.drain().failure?.label == "unauthenticatedSession")
        await outbox.close()

        let other = try await bench.open(for: "bob", session: session)
        try await other.enqueue(.text("bob's")).get()
        #expect(try await other.items().get().count == 1)
        #expect(await other.drain().sent == 1)
        await other.close()

        try await session.logout()
        try await logIn("ada", token: "ada2")
        let again = try await bench.open(for: "ada", session: session)
        #expect(await again.drain().isEmpty)
        for request in bench.server.requests {
            let owner = request.text == "bob's" ? "Bearer bob" : "Bearer ada"
            #expect(request.headers["Authorization"]?.hasPrefix(owner) == true)
        }
        #expect(Set(bench.sent) == ["1", "2", "3", "4", "bob's"])
    }

    @Test("opened while nobody is logged in it keeps, and sends nothing in anybody's name")
    func nobody() async throws {
        let bench = try OutboxBench()
        let outbox = try await bench.open(session: session)
        let open = OutboxWrite("open", in: "o", Request<Void>.post("open", body: .text("open")).withoutSession())
        try await outbox.enqueue(open).get()
        try await logIn("bob")
        try await outbox.enqueue(.text("1")).get()
        let drain = await outbox.drain()
        #expect(drain.failure?.label == "unauthenticatedSession" && drain.left >= 1)
        #expect(bench.sent.allSatisfy { $0 == "open" }, "what needs no session may go")
        #expect(bench.server.requests.allSatisfy { $0.headers["Authorization"] == nil })
    }

    @Test("a token that is refused for good stops it, and parks nothing")
    func refused() async throws {
        let bench = try OutboxBench { _ in .answer(401) }
        try await logIn("ada")
        let outbox = try await bench.open(session: session)
        try await outbox.enqueue([.text("1"), .text("2", in: "b")]).get()
        let drain = await outbox.drain()
        #expect(drain.failure?.label == "unauthenticatedSession" && drain.parked == 0)
        #expect(try await outbox.standing() == [.pending, .pending])
    }

    @Test("each environment has its own")
    func environments() async throws {
        let bench = try OutboxBench()
        let outbox = try await bench.open()
        try await outbox.enqueue(.text("1")).get()
        let staging = AbstractRepository(
            configuration: NetworkingConfiguration(domainURL: "staging.example.com"),
            executor: bench.server
        )
        let other = try await Outbox.open(in: bench.place, for: "ada", sending: staging).get()
        #expect(try await other.items().get().isEmpty)
    }
}
