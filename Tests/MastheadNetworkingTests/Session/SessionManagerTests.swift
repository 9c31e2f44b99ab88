import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

@Suite("SessionManager")
struct SessionManagerTests {
    private let ada = Reader(name: "Ada", token: "a")

    @Test("W10: no order of transitions traps; each is made, does nothing, or is a typed error")
    func transitions() async throws {
        let store = RecordingStore()
        let session = SessionManager<Reader>(store: store)
        let other = SessionCredentials(accessToken: "b", refreshToken: "r")

        #expect(await sessionError { () throws(SessionError) in try await session.update(ada) } == .notLoggedIn)
        try await session.expire()
        #expect("\(session.state)" == "unknown")
        try await session.logout()
        try await session.logout()
        #expect("\(session.state)" == "logged out")
        #expect(
            await sessionError { () throws(SessionError) in try await session.login(Reader(name: "X")) }
                == .missingToken
        )
        #expect(
            await sessionError { () throws(SessionError) in try await session.login(Reader(name: "X", token: "")) }
                == .missingToken
        )

        try await session.login(ada)
        try await session.login(Reader(name: "Ada L.", token: "a"))
        #expect(session.currentUser?.name == "Ada L.", "the same token is the same session")
        #expect(
            await sessionError { () throws(SessionError) in try await session.login(ada, credentials: other) }
                == .alreadyLoggedIn
        )
        #expect(session.sessionToken == "a")

        try await session.update(Reader(name: "Ada K.", token: "older"))
        #expect(session.currentUser?.name == "Ada K." && session.sessionToken == "a")
        try await session.update(ada, credentials: other)
        #expect(session.credentials == other && store.credentials == other)
        #expect(
            await sessionError { () throws(SessionError) in
                try await session.update(ada, credentials: SessionCredentials(accessToken: ""))
            } == .missingToken
        )

        try await session.expire()
        try await session.expire()
        #expect("\(session.state)" == "expired" && !session.isLoggedIn && session.currentUser == nil)
        #expect(store.credentials == nil)
        try await session.login(ada)
        try await session.logout()
        #expect("\(session.state)" == "logged out")
        #expect(store.log == ["remove", "remove", "save a", "save a", "save b", "remove", "save a", "remove"])
    }

    @Test("is in its new state though the store fails, and says so")
    func storeFails() async throws {
        let store = RecordingStore()
        let session = SessionManager<Reader>(store: store)
        let full = TokenStoreError.inaccessible(reason: "the disk is full")
        store.fail(with: full)

        #expect(await sessionError { () throws(SessionError) in try await session.login(ada) } == .store(full))
        #expect(session.isLoggedIn && session.currentUser == ada)

        store.fail(with: nil)
        try await session.login(ada)
        store.fail(with: full)
        #expect(await sessionError { () throws(SessionError) in try await session.logout() } == .store(full))
        #expect(!session.isLoggedIn && store.credentials != nil)

        store.fail(with: nil)
        try await session.logout()
        #expect(store.credentials == nil, "doing it again makes up for it")
    }

    @Test("tells its state and each change, and never loses the last", .timeLimit(.minutes(1)))
    func changes() async throws {
        let session = SessionManager<Reader>(store: InMemoryTokenStore())
        var reader = session.changes.makeAsyncIterator()
        #expect(await reader.next().map { "\($0)" } == "unknown")

        for _ in 0..<100 {
            try await session.login(ada)
            try await session.logout()
        }
        try await session.login(ada)
        #expect(await reader.next().map { $0.isLoggedIn(ada) } == true, "what was between is left out")

        let late = Task { () -> [String] in
            var states: [String] = []
            for await state in session.changes {
                states.append("\(state)")
                if states.count == 2 { break }
            }
            return states
        }
        let next = Task { [reader] in
            var reader = reader
            return await reader.next().map { "\($0)" }
        }
        await Task.yield()
        try await session.expire()
        #expect(await next.value == "expired")
        let states = await late.value
        // Whether it began to read before or after.
        #expect(states == ["logged in", "expired"] || states.last == "expired")
    }

    @Test("ends the sequence of its changes with itself, and with the task that reads", .timeLimit(.minutes(1)))
    func changesEnd() async throws {
        var session: SessionManager<Reader>? = SessionManager(store: InMemoryTokenStore())
        let kept = SessionManager<Reader>(store: InMemoryTokenStore())
        let changes = try #require(session).changes
        let reader = Task { for await _ in changes {} }
        let cancelled = Task { for await _ in kept.changes {} }
        session = nil
        await reader.value
        var count = 0
        for await _ in changes { count += 1 }
        #expect(count == 1, "whoever comes later learns how it was at the end")
        cancelled.cancel()
        await cancelled.value
        _ = session
    }

    @Test("shows no token and no user in a description or a dump")
    func showsNothing() async throws {
        let session = SessionManager<Reader>(store: InMemoryTokenStore())
        try await session.login(
            Reader(name: "plantname", token: "plantuser"),
            credentials: SessionCredentials(accessToken: "plantaccess", refreshToken: "plantrefresh")
        )
        let repository = ReaderRepository(configuration: .test(), session: session)
        let refresher = OAuth2Refresher(
            configuration: .test(),
            path: "token",
            clientID: "plantclient",
            clientSecret: "plantsecret"
        )
        let values: [Any] = [
            session, session.state, session.grant as Any, repository, refresher, session.changes,
            SessionRenewal.renewed(SessionGrant(token: "planttoken", session: 1, generation: 1)),
        ]
        for value in values {
            var text = "\(value) " + String(reflecting: value)
            dump(value, to: &text)
            #expect(!text.contains("plant"), "\(type(of: value))")
        }
    }
}
