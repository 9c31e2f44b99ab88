import Foundation
import MastheadNetworking
import Testing

/// A token file whose key is in the Secret Service; each start of an app is a process of its own, on the test's bus.
@Suite("Secret Service", .needsKeyring, .timeLimit(.minutes(1)))
struct KeyringTests {
    private static let credentials = SessionCredentials(accessToken: "plantedaccess", refreshToken: "plantedrefresh")

    private static func store(_ folder: String, name: String = "session") -> EncryptedFileTokenStore {
        EncryptedFileTokenStore(
            path: folder + "/t",
            key: .secretService(application: "org.example.reader", name: name)
        )
    }

    /// Takes a bus for the one of this process, before anything of GLib was loaded.
    private static func use(_ address: String) {
        setenv("DBUS_SESSION_BUS_ADDRESS", address, 1)
        alarm(50)
    }

    @Test("keeps the key from one start to the next, and the file goes with nothing else")
    func keeps() async throws {
        try await withTemporaryFolder { folder in
            let keyring = try await Keyring.start(in: folder)
            let place = folder.path()
            await #expect(processExitsWith: .success) {
                [address = keyring.address as String, place = place as String] in
                KeyringTests.use(address)
                let store = KeyringTests.store(place)
                #expect(try await store.load() == nil)
                try await store.save(SessionCredentials(accessToken: "first"))
                try await store.save(KeyringTests.credentials)
                #expect(try await store.load() == KeyringTests.credentials)
            }
            await #expect(processExitsWith: .success) {
                [address = keyring.address as String, place = place as String] in
                KeyringTests.use(address)
                let loaded = try await KeyringTests.store(place).load()
                #expect(loaded == KeyringTests.credentials)
                await #expect(throws: TokenStoreError.self) {
                    try await KeyringTests.store(place, name: "another").load()
                }
                do throws(TokenStoreError) {
                    _ = try await KeyringTests.store(place, name: "another").load()
                } catch {
                    guard case .missingKey = error else {
                        Issue.record(error)
                        return
                    }
                }
                try await KeyringTests.store(place).rotate(to: .file(place + "/k"))
                let store = EncryptedFileTokenStore(path: place + "/t", key: .file(place + "/k"))
                #expect(try await store.load() == KeyringTests.credentials)
                await #expect(throws: TokenStoreError.wrongKey) { try await KeyringTests.store(place).load() }
                try await store.rotate(to: .secretService(application: "org.example.reader", name: "next"))
                #expect(try await KeyringTests.store(place, name: "next").load() == KeyringTests.credentials)
            }
            await keyring.stop()
            for file in FileManager.default.enumerator(atPath: place)?.compactMap({ $0 as? String }) ?? [] {
                let content = FileManager.default.contents(atPath: place + "/" + file) ?? Data()
                #expect(content.firstRange(of: Data("plantedaccess".utf8)) == nil, "\(file)")
            }
        }
    }

    @Test("gives one key to however many stores ask for it at once")
    func race() async throws {
        try await withTemporaryFolder { folder in
            let keyring = try await Keyring.start(in: folder)
            await #expect(processExitsWith: .success) {
                [address = keyring.address as String, place = folder.path() as String] in
                KeyringTests.use(address)
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<8 {
                        group.addTask {
                            do {
                                try await KeyringTests.store(place).save(KeyringTests.credentials)
                            } catch {
                                Issue.record(error)
                            }
                        }
                    }
                }
                let loaded = try await KeyringTests.store(place).load()
                #expect(loaded == KeyringTests.credentials)
            }
            await keyring.stop()
        }
    }

    @Test("does not take a key for lost that nobody unlocks")
    func locked() async throws {
        try await withTemporaryFolder { folder in
            let place = folder.path()
            let first = try await Keyring.start(in: folder)
            await #expect(processExitsWith: .success) { [address = first.address as String, place = place as String] in
                KeyringTests.use(address)
                try await KeyringTests.store(place).save(KeyringTests.credentials)
            }
            await first.stop()
            let locked = try await Keyring.start(in: folder, isUnlocked: false)
            await #expect(processExitsWith: .success) { [address = locked.address as String, place = place as String] in
                KeyringTests.use(address)
                for work in [
                    { @Sendable () async throws in _ = try await KeyringTests.store(place).load() },
                    { try await KeyringTests.store(place).save(KeyringTests.credentials) },
                ] {
                    let error = await #expect(throws: TokenStoreError.self) { try await work() }
                    guard case .noSecretService = error else {
                        Issue.record("\(String(describing: error))")
                        return
                    }
                }
            }
            await locked.stop()
            let again = try await Keyring.start(in: folder)
            await #expect(processExitsWith: .success) { [address = again.address as String, place = place as String] in
                KeyringTests.use(address)
                let loaded = try await KeyringTests.store(place).load()
                #expect(loaded == KeyringTests.credentials)
            }
            await again.stop()
        }
    }

    private struct Reader: AuthenticableUser {
        var sessionToken: Secret?
    }

    private struct Nobody: CurrentUserFetcher {
        func currentUser() async -> Result<Reader, RepositoryError> { .failure(.noNetworkConnection) }
    }

    @Test(
        "does not wait any more for a user who is asked when the task is cancelled, and goes on",
        arguments: [false, true]
    )
    func cancelled(bySession: Bool) async throws {
        try await withTemporaryFolder { folder in
            let place = folder.path()
            let first = try await Keyring.start(in: folder)
            await #expect(processExitsWith: .success) { [address = first.address as String, place = place as String] in
                KeyringTests.use(address)
                try await KeyringTests.store(place).save(KeyringTests.credentials)
            }
            await first.stop()
            let asking = try await Keyring.start(in: folder, isUnlocked: false, asksUser: true)
            await #expect(processExitsWith: .success) {
                [address = asking.address as String, place = place as String, bySession = bySession as Bool] in
                KeyringTests.use(address)
                let store = KeyringTests.store(place)
                let session = SessionManager<Reader>(store: store)
                let work = Task {
                    if bySession { try await session.bootstrap(Nobody()) } else { _ = try await store.load() }
                }
                await Keyring.asked(in: place)
                work.cancel()
                if bySession {
                    await #expect(throws: SessionError.cancelled) { try await work.value }
                } else {
                    await #expect(throws: TokenStoreError.cancelled) { try await work.value }
                }
                try await session.logout()
                let rest = try await store.load()
                #expect(rest == nil)
            }
            await asking.stop()
        }
    }

    /// Runs secret-tool with a text for its input, and gives all it writes.
    @discardableResult
    private static func tool(_ arguments: [String], _ input: String = "") throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/secret-tool")
        process.arguments = arguments
        let (source, output) = (Pipe(), Pipe())
        process.standardInput = source
        process.standardOutput = output
        process.standardError = output
        try process.run()
        source.fileHandleForWriting.write(Data(input.utf8))
        try source.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return text
    }

    @Test("keeps the keys of two files of one name apart, though one was away when the other was made")
    func twoFiles() async throws {
        try await withTemporaryFolder { folder in
            let keyring = try await Keyring.start(in: folder)
            await #expect(processExitsWith: .success) {
                [address = keyring.address as String, place = folder.path() as String] in
                KeyringTests.use(address)
                func store(_ file: String) -> EncryptedFileTokenStore {
                    EncryptedFileTokenStore(
                        path: "\(place)/\(file)",
                        key: .secretService(application: "org.example.reader")
                    )
                }
                let name = ["application", "org.example.reader"]
                try await store("a").save(KeyringTests.credentials)
                let lines = try KeyringTests.tool(["search", "--all"] + name).split(separator: "\n")
                let item = lines.compactMap { line -> (String, String)? in
                    let parts = line.split(separator: " = ", maxSplits: 1).map(String.init)
                    return parts.count == 2 ? (parts[0], parts[1]) : nil
                }
                let secret = try #require(item.first { $0.0 == "secret" }?.1)
                let attributes = item.filter { $0.0.hasPrefix("attribute.") && !$0.0.contains("xdg:") }
                    .flatMap { [String($0.0.dropFirst("attribute.".count)), $0.1] }
                try #require(attributes.count >= 4)
                try KeyringTests.tool(["clear"] + name)
                try await store("b").save(SessionCredentials(accessToken: "b"))
                try KeyringTests.tool(["store", "--label", "again"] + attributes, secret)

                let (a, b) = (try await store("a").load(), try await store("b").load())
                #expect(a == KeyringTests.credentials && b?.accessToken == "b")
                try await store("b").save(SessionCredentials(accessToken: "b2"))
                try await store("a").save(SessionCredentials(accessToken: "a2"))
                let (a2, b2) = (try await store("a").load(), try await store("b").load())
                #expect(a2?.accessToken == "a2" && b2?.accessToken == "b2")
            }
            await keyring.stop()
        }
    }

    @Test("gives each of several files that are new at once a key that stays, though they have one name")
    func several() async throws {
        try await withTemporaryFolder { folder in
            let keyring = try await Keyring.start(in: folder)
            await #expect(processExitsWith: .success) {
                [address = keyring.address as String, place = folder.path() as String] in
                KeyringTests.use(address)
                func store(_ number: Int) -> EncryptedFileTokenStore {
                    EncryptedFileTokenStore(
                        path: "\(place)/t\(number)",
                        key: .secretService(application: "org.example.reader")
                    )
                }
                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<8 {
                        group.addTask {
                            do {
                                try await store(number).save(KeyringTests.credentials)
                            } catch {
                                Issue.record(error)
                            }
                        }
                    }
                }
                for number in 0..<8 {
                    let loaded = try await store(number).load()
                    #expect(loaded == KeyringTests.credentials)
                }
            }
            await keyring.stop()
        }
    }

    @Test("makes no other key for a file when the service has lost its own")
    func lost() async throws {
        try await withTemporaryFolder { folder in
            let keyring = try await Keyring.start(in: folder)
            await #expect(processExitsWith: .success) {
                [address = keyring.address as String, place = folder.path() as String] in
                KeyringTests.use(address)
                let store = KeyringTests.store(place)
                try await store.save(KeyringTests.credentials)
                let before = FileManager.default.contents(atPath: place + "/t")
                let clearing = try Process.run(
                    URL(filePath: "/usr/bin/secret-tool"),
                    arguments: ["clear", "application", "org.example.reader", "token-key", "session"]
                )
                clearing.waitUntilExit()
                #expect(clearing.terminationStatus == 0)
                for _ in 0..<2 {
                    let error = await #expect(throws: TokenStoreError.self) {
                        try await store.save(SessionCredentials(accessToken: "newer"))
                    }
                    guard case .missingKey = error else {
                        Issue.record("\(String(describing: error))")
                        return
                    }
                }
                #expect(before != nil && FileManager.default.contents(atPath: place + "/t") == before)
            }
            await keyring.stop()
        }
    }

    @Test("says that the service is gone, and keeps the file")
    func gone() async throws {
        try await withTemporaryFolder { folder in
            let keyring = try await Keyring.start(in: folder)
            await #expect(processExitsWith: .success) {
                [address = keyring.address as String, place = folder.path() as String] in
                KeyringTests.use(address)
                try await KeyringTests.store(place).save(KeyringTests.credentials)
            }
            await keyring.stop()
            let before = FileManager.default.contents(atPath: folder.path() + "/t")
            await #expect(processExitsWith: .success) {
                [address = keyring.address as String, place = folder.path() as String] in
                KeyringTests.use(address)
                do throws(TokenStoreError) {
                    try await KeyringTests.store(place).save(KeyringTests.credentials)
                    Issue.record("it was saved")
                } catch {
                    guard case .noSecretService(let reason) = error else {
                        Issue.record(error)
                        return
                    }
                    #expect(!reason.isEmpty)
                }
            }
            #expect(before != nil && FileManager.default.contents(atPath: folder.path() + "/t") == before)
        }
    }
}
