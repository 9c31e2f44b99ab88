import Foundation
import MastheadNetworking
import Testing

@Suite("EncryptedFileTokenStore", .timeLimit(.minutes(1)))
struct EncryptedFileTokenStoreTests {
    private let folder: TestFolder
    private let path: String

    static let credentials = SessionCredentials(
        accessToken: "plantedaccesstoken",
        refreshToken: "plantedrefreshtoken",
        expiry: Date(timeIntervalSince1970: 1_800_000_000)
    )

    init() throws {
        folder = try TestFolder()
        path = folder.path("session.tokens")
    }

    /// A key of each kind that needs no service.
    enum Kind: CaseIterable {
        case file, passphrase
    }

    private func key(_ kind: Kind) -> TokenFileKey {
        switch kind {
        case .file: .file(folder.path("session.key"))
        case .passphrase: .passphrase("plantedpassphrase", cost: .low)
        }
    }

    private func store(_ key: TokenFileKey) -> EncryptedFileTokenStore {
        EncryptedFileTokenStore(path: path, key: key)
    }

    private var content: Data? { folder.content("session.tokens") }

    // MARK: Keeping

    @Test("keeps credentials from one store to the next, and forgets them", arguments: Kind.allCases)
    func keeps(kind: Kind) async throws {
        #expect(try await store(key(kind)).load() == nil)
        #expect(folder.names == [], "a look makes nothing")

        try await store(key(kind)).save(SessionCredentials(accessToken: "first"))
        try await store(key(kind)).save(Self.credentials)
        #expect(try await store(key(kind)).load() == Self.credentials)

        try await store(key(kind)).remove()
        try await store(key(kind)).remove()
        #expect(try await store(key(kind)).load() == nil)
        #expect(content == nil)
    }

    @Test("writes files that only their owner may read, and nothing readable into them", arguments: Kind.allCases)
    func nothingReadable(kind: Kind) async throws {
        let store = store(key(kind))
        try await store.save(Self.credentials)
        _ = try await store.load()

        for name in folder.names {
            var status = stat()
            #expect(stat(folder.path(name), &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600, "\(name)")
            let bytes = try #require(folder.content(name))
            for secret in ["plantedaccesstoken", "plantedrefreshtoken", "plantedpassphrase"] {
                #expect(bytes.firstRange(of: Data(secret.utf8)) == nil, "\(name)")
                #expect(bytes.firstRange(of: Data(secret.utf8).base64EncodedData()) == nil, "\(name)")
            }
        }
        #expect(folder.names.contains("session.tokens"))
    }

    @Test("seals the same credentials otherwise each time, and hides how long they are")
    func seals() async throws {
        let store = store(key(.file))
        try await store.save(Self.credentials)
        let first = try #require(content)
        try await store.save(Self.credentials)
        let second = try #require(content)
        #expect(first.suffix(from: 68) != second.suffix(from: 68))

        try await store.save(SessionCredentials(accessToken: Secret(String(repeating: "x", count: 300))))
        #expect(content?.count == first.count)
        #expect(first.count == 68 + 512 + 16)
    }

    @Test("refuses credentials that are too long, and keeps those it has")
    func tooLong() async throws {
        let store = store(key(.file))
        try await store.save(Self.credentials)
        await #expect(throws: TokenStoreError.inaccessible(reason: "the credentials are too long for a token file")) {
            try await store.save(SessionCredentials(accessToken: Secret(String(repeating: "x", count: 70_000))))
        }
        let long = SessionCredentials(accessToken: Secret(String(repeating: "x", count: 60_000)))
        #expect(try await store.load() == Self.credentials)
        try await store.save(long)
        #expect(try await store.load() == long)
    }

    // MARK: What does not open

    @Test("keeps a file that its key does not open", arguments: Kind.allCases, Kind.allCases)
    func wrongKey(kind: Kind, other: Kind) async throws {
        try await store(key(kind)).save(Self.credentials)
        let before = try #require(content)
        let wrong: TokenFileKey =
            switch other {
            case .file: .file(try folder.file("other.key", key: String(repeating: "ab", count: 32)))
            case .passphrase: .passphrase("another", cost: .low)
            }

        await #expect(throws: TokenStoreError.wrongKey) { try await store(wrong).load() }
        await #expect(throws: TokenStoreError.wrongKey) { try await store(wrong).save(Self.credentials) }
        await #expect(throws: TokenStoreError.wrongKey) { try await store(wrong).rotate(to: key(kind)) }
        #expect(content == before)
        #expect(try await store(key(kind)).load() == Self.credentials)

        try await store(wrong).remove()
        try await store(wrong).save(Self.credentials)
        #expect(try await store(wrong).load() == Self.credentials)
    }

    @Test("keeps a file whose key file is gone, and makes no other key for it")
    func missingKey() async throws {
        try await store(key(.file)).save(Self.credentials)
        let before = content
        try FileManager.default.moveItem(atPath: folder.path("session.key"), toPath: folder.path("elsewhere"))

        for work in [
            { @Sendable () async throws in _ = try await store(key(.file)).load() },
            { try await store(key(.file)).save(Self.credentials) },
            { try await store(key(.file)).rotate(to: .passphrase("p", cost: .low)) },
        ] {
            let error = await #expect(throws: TokenStoreError.self) { try await work() }
            guard case .missingKey = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
        #expect(content == before)
        #expect(!folder.names.contains("session.key"))

        try FileManager.default.moveItem(atPath: folder.path("elsewhere"), toPath: folder.path("session.key"))
        #expect(try await store(key(.file)).load() == Self.credentials)
    }

    @Test("makes no other key for a file while the key file is gone, though it has the key in memory")
    func keyGoneMeanwhile() async throws {
        let lasting = store(key(.file))
        try await lasting.save(Self.credentials)
        let before = content
        try FileManager.default.moveItem(atPath: folder.path("session.key"), toPath: folder.path("elsewhere"))

        for work in [
            { @Sendable () async throws in try await lasting.save(SessionCredentials(accessToken: "newer")) },
            { try await lasting.rotate(to: key(.file)) },
        ] {
            let error = await #expect(throws: TokenStoreError.self) { try await work() }
            guard case .missingKey = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(content == before)
        #expect(!folder.names.contains("session.key"))

        try? FileManager.default.removeItem(atPath: folder.path("session.key"))
        try FileManager.default.moveItem(atPath: folder.path("elsewhere"), toPath: folder.path("session.key"))
        #expect(try await store(key(.file)).load() == Self.credentials)
        try await lasting.save(SessionCredentials(accessToken: "newer"))
        #expect(try await store(key(.file)).load() == SessionCredentials(accessToken: "newer"))
    }

    @Test("seals no file with another key that stands in the place of its own")
    func keyReplacedMeanwhile() async throws {
        let lasting = store(key(.file))
        try await lasting.save(Self.credentials)
        let before = content
        let own = try #require(folder.content("session.key"))
        _ = try folder.file("session.key", key: String(repeating: "ab", count: 32))

        await #expect(throws: TokenStoreError.wrongKey) { try await lasting.save(Self.credentials) }
        #expect(content == before)
        _ = try folder.file("session.key", own)
        #expect(try await store(key(.file)).load() == Self.credentials)
    }

    @Test("writes with the key that the next start will find")
    func replacedKey() async throws {
        let lasting = store(key(.file))
        try await lasting.save(Self.credentials)
        try await lasting.remove()
        try FileManager.default.removeItem(atPath: folder.path("session.key"))
        try await lasting.save(Self.credentials)
        #expect(try await store(key(.file)).load() == Self.credentials)
    }

    @Test("takes an older file of the same key for the newer one: the server has to find that out")
    func rollback() async throws {
        let store = store(key(.file))
        try await store.save(Self.credentials)
        let older = try #require(content)
        try await store.save(SessionCredentials(accessToken: "newer"))
        _ = try folder.file("session.tokens", older)
        #expect(try await store.load() == Self.credentials)
    }

    @Test("says when the place is none", arguments: ["", "a/", "\0", "missing/session.tokens", "taken", "linked"])
    func places(name: String) async throws {
        try FileManager.default.createDirectory(atPath: folder.path("taken"), withIntermediateDirectories: false)
        symlink(try folder.file("target", Data("kept".utf8)), folder.path("linked"))
        let place = name.isEmpty ? "" : folder.path("") + "/" + name
        let store = EncryptedFileTokenStore(path: place, key: key(.passphrase))

        let error = await #expect(throws: TokenStoreError.self) { try await store.save(Self.credentials) }
        guard case .inaccessible(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(!reason.isEmpty)
        #expect(folder.content("target") == Data("kept".utf8))
        #expect(!folder.names.contains { $0.hasSuffix(".tmp") })
    }

    // MARK: Keys that change

    @Test("goes from one key to another, with the file whole all the way", arguments: Kind.allCases, Kind.allCases)
    func rotates(kind: Kind, next: Kind) async throws {
        let old = key(kind)
        let new: TokenFileKey =
            next == .file ? .file(folder.path("next.key")) : .passphrase("plantednext", cost: .low)
        let store = store(old)
        try await store.save(Self.credentials)
        try await store.rotate(to: new)

        #expect(try await store.load() == Self.credentials)
        #expect(try await self.store(new).load() == Self.credentials)
        await #expect(throws: TokenStoreError.wrongKey) { try await self.store(old).load() }
        try await store.save(SessionCredentials(accessToken: "after"))
        #expect(try await self.store(new).load() == SessionCredentials(accessToken: "after"))
    }

    @Test("takes the new key where nothing was saved yet")
    func rotatesNothing() async throws {
        let store = store(key(.file))
        try await store.rotate(to: key(.passphrase))
        #expect(folder.names == [".session.tokens.lock"])
        try await store.save(Self.credentials)
        #expect(try await self.store(key(.passphrase)).load() == Self.credentials)
    }

    @Test("does not rotate to the key that the file has, nor to one that cannot be had")
    func rotatesToItself() async throws {
        let store = store(key(.file))
        try await store.save(Self.credentials)
        let before = content
        await #expect(throws: TokenStoreError.self) { try await store.rotate(to: key(.file)) }
        await #expect(throws: TokenStoreError.self) { try await store.rotate(to: .file(folder.path("no/key"))) }
        #expect(content == before)
        #expect(try await store.load() == Self.credentials)
    }

    @Test("saves and reads with the key of the moment while it rotates")
    func rotatesMeanwhile() async throws {
        let store = store(.file(folder.path("key 0")))
        try await store.save(Self.credentials)
        for turn in 1...20 {
            let next = TokenFileKey.file(folder.path("key \(turn)"))
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<9 {
                    group.addTask {
                        do {
                            switch index {
                            case 4: try await store.rotate(to: next)
                            case let index where index.isMultiple(of: 2): _ = try await store.load()
                            default: try await store.save(Self.credentials)
                            }
                        } catch {
                            Issue.record(error)
                        }
                    }
                }
            }
            #expect(try await self.store(next).load() == Self.credentials)
        }
    }

    @Test("takes the new key once the file has it, though the disk does not confirm it")
    func rotatesUnconfirmed() async throws {
        try await store(key(.file)).save(Self.credentials)
        let store = EncryptedFileTokenStore(path: path, key: key(.file)) { _ in
            errno = EIO
            return -1
        }
        let error = await #expect(throws: TokenStoreError.self) { try await store.rotate(to: key(.passphrase)) }
        guard case .inaccessible = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try await store.load() == Self.credentials)
        #expect(try await self.store(key(.passphrase)).load() == Self.credentials)
    }

    @Test("changes nothing in a folder that it may not open")
    func unreadableFolder() async throws {
        await #expect(processExitsWith: .success) { [place = folder.path("") as String] in
            // Root may open any folder.
            if geteuid() == 0 { try #require(chown(place, 65534, 65534) == 0 && seteuid(65534) == 0) }
            let credentials = EncryptedFileTokenStoreTests.credentials
            let old = TokenFileKey.passphrase("plantedold", cost: .low)
            let store = EncryptedFileTokenStore(path: place + "/t", key: old)
            try await store.save(credentials)
            #expect(chmod(place, 0o300) == 0)
            await #expect(throws: TokenStoreError.self) {
                try await store.rotate(to: .passphrase("plantednew", cost: .low))
            }
            await #expect(throws: TokenStoreError.self) { try await store.remove() }
            #expect(try await store.load() == credentials)
            let next = EncryptedFileTokenStore(path: place + "/t", key: old)
            #expect(try await next.load() == credentials)
        }
    }

    @Test("gives a passphrase's file the work of today when it is written again")
    func strengthens() async throws {
        try await store(key(.passphrase)).save(Self.credentials)
        #expect(content?[10] == 10)
        let stronger = try PassphraseCost(logarithmicCost: 11, blockSize: 8, parallelism: 1)
        let store = store(.passphrase("plantedpassphrase", cost: stronger))
        #expect(try await store.load() == Self.credentials)
        #expect(content?[10] == 10)
        try await store.save(Self.credentials)
        #expect(content?[10] == 11)
        // What has more work already keeps it, and its salt.
        let salt = content?[16..<32]
        try await self.store(key(.passphrase)).save(Self.credentials)
        #expect(content?[10] == 11)
        #expect(content?[16..<32] == salt)
    }

    // MARK: Showing

    @Test("shows where it is and no passphrase")
    func showsNothing() async throws {
        let store = store(key(.passphrase))
        try await store.save(Self.credentials)
        var text = "\(store) " + String(reflecting: store) + "\(key(.passphrase))"
        dump(store, to: &text)
        dump(key(.passphrase), to: &text)
        #expect(text.contains("session.tokens, passphrase"))
        #expect(!text.contains("planted"))
    }
}

extension TestFolder {
    /// Writes a key file as its maker would.
    func file(_ name: String, key: String, mode: mode_t = 0o600) throws -> String {
        let path = try file(name, Data(key.utf8))
        chmod(path, mode)
        return path
    }
}
