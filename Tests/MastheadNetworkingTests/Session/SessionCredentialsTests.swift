import Foundation
import MastheadNetworking
import Testing

@Suite("SessionCredentials")
struct SessionCredentialsTests {
    @Test("come back from what they were encoded to, whatever the encoder does with dates")
    func roundTrip() throws {
        let credentials = SessionCredentials(
            accessToken: "access",
            refreshToken: "refresh",
            expiry: Date(timeIntervalSince1970: 1_700_000_000.25)
        )
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .sortedKeys

        let bytes = try encoder.encode(credentials)

        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"accessToken":"access","expiry":1700000000.25,"refreshToken":"refresh"}"#
        )
        #expect(try JSONDecoder().decode(SessionCredentials.self, from: bytes) == credentials)
    }

    @Test("are the same in another login, and not with another token or expiry")
    func equality() async throws {
        let date = Date(timeIntervalSince1970: 1)
        let credentials = SessionCredentials(accessToken: "a", refreshToken: "r", expiry: date)
        let store = InMemoryTokenStore()
        try await SessionManager<Reader>(store: store).login(Reader(name: "Ada"), credentials: credentials)
        let kept = try #require(store.credentials)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(try encoder.encode(kept) != encoder.encode(credentials), "each login has a partition")
        #expect(kept == credentials && Set([kept, credentials]).count == 1)
        let others = [
            SessionCredentials(accessToken: "b", refreshToken: "r", expiry: date),
            SessionCredentials(accessToken: "a", refreshToken: "s", expiry: date),
            SessionCredentials(accessToken: "a", refreshToken: "r", expiry: date + 1),
        ]
        #expect(!others.contains(credentials))
    }

    @Test("of one token are written as one token")
    func oneToken() throws {
        let credentials = SessionCredentials(accessToken: "access")

        let bytes = try JSONEncoder().encode(credentials)

        #expect(String(decoding: bytes, as: UTF8.self) == #"{"accessToken":"access"}"#)
        #expect(try JSONDecoder().decode(SessionCredentials.self, from: bytes) == credentials)
    }

    @Test("show no token in a description or a dump, nor does their store")
    func showNothing() {
        let credentials = SessionCredentials(accessToken: "plantaccess", refreshToken: "plantrefresh")
        let store = InMemoryTokenStore(credentials)
        var text = "\(credentials) \(store)" + String(reflecting: credentials) + String(reflecting: store)
        dump(credentials, to: &text)
        dump(store, to: &text)

        #expect(!text.contains("plant"))
        #expect(text.contains("[redacted]"))
    }

    @Test("stay in memory until they are replaced or removed")
    func inMemory() async throws {
        let store = InMemoryTokenStore()
        #expect(try await store.load() == nil)

        try await store.save(SessionCredentials(accessToken: "first"))
        try await store.save(SessionCredentials(accessToken: "second"))
        #expect(try await store.load() == SessionCredentials(accessToken: "second"))

        try await store.remove()
        try await store.remove()
        #expect(try await store.load() == nil)
    }
}
