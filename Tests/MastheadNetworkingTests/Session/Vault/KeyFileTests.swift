import Foundation
import MastheadNetworking
import Testing

@Suite("The key file")
struct KeyFileTests {
    private let folder: TestFolder
    private let store: EncryptedFileTokenStore
    private static let digits = "00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF"

    init() throws {
        folder = try TestFolder()
        store = EncryptedFileTokenStore(path: folder.path("t"), key: .file(folder.path("k")))
    }

    /// Why the key file is refused; nothing else may have come of it.
    private func refusal(sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
        let error = await #expect(throws: TokenStoreError.self, sourceLocation: sourceLocation) {
            try await store.save(EncryptedFileTokenStoreTests.credentials)
        }
        #expect(!folder.names.contains("t"), sourceLocation: sourceLocation)
        #expect(!folder.names.contains { $0.hasSuffix(".tmp") }, sourceLocation: sourceLocation)
        guard case .unusableKeyFile(let reason) = error else { return "" }
        return reason
    }

    @Test("is made of random digits, and not made anew")
    func isMade() async throws {
        try await store.save(EncryptedFileTokenStoreTests.credentials)
        let first = try #require(folder.content("k"))
        #expect(first.count == 65 && first.last == UInt8(ascii: "\n"))
        #expect(first.dropLast().allSatisfy { "0123456789abcdef".utf8.contains($0) })
        try await store.remove()
        try await store.save(EncryptedFileTokenStoreTests.credentials)
        #expect(folder.content("k") == first)

        let other = EncryptedFileTokenStore(path: folder.path("t2"), key: .file(folder.path("k2")))
        try await other.save(EncryptedFileTokenStoreTests.credentials)
        #expect(folder.content("k2") != first)
    }

    @Test("is made once, by however many stores at the same time")
    func isMadeOnce() async throws {
        let folder = folder
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<16 {
                group.addTask {
                    let store = EncryptedFileTokenStore(path: folder.path("t\(index)"), key: .file(folder.path("k")))
                    do {
                        try await store.save(SessionCredentials(accessToken: Secret("token \(index)")))
                    } catch {
                        Issue.record(error)
                    }
                }
            }
        }
        for index in 0..<16 {
            let store = EncryptedFileTokenStore(path: folder.path("t\(index)"), key: .file(folder.path("k")))
            #expect(try await store.load()?.accessToken == Secret("token \(index)"))
        }
        #expect(folder.names.filter { $0.hasSuffix(".tmp") } == [])
    }

    @Test("may be written by hand, in capitals, with any end of line or none", arguments: ["", "\n", "\r\n"])
    func byHand(end: String) async throws {
        _ = try folder.file("k", key: Self.digits + end, mode: 0o400)
        try await store.save(EncryptedFileTokenStoreTests.credentials)
        _ = try folder.file("k2", key: Self.digits.lowercased())
        let other = EncryptedFileTokenStore(path: folder.path("t"), key: .file(folder.path("k2")))
        #expect(try await other.load() == EncryptedFileTokenStoreTests.credentials)
    }

    @Test(
        "is refused if others may have read it, and stays as it is",
        arguments: [0o640, 0o604, 0o660, 0o602, 0o601, 0o644]
    )
    func modes(mode: Int) async throws {
        let path = try folder.file("k", key: Self.digits, mode: mode_t(mode))
        let octal = String(mode, radix: 8)
        #expect(
            try await refusal()
                == "k has the mode 0\(octal), so that others may have read it: make a new key, with mode 0600"
        )
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == mode_t(mode))
        #expect(folder.content("k") == Data(Self.digits.utf8))
    }

    @Test("is refused if it belongs to somebody else", .enabled(if: geteuid() == 0, "only root can give files away"))
    func owners() async throws {
        let path = try folder.file("k", key: Self.digits)
        #expect(chown(path, 1, 1) == 0)
        #expect(try await refusal().hasPrefix("k belongs to another user"))
    }

    @Test("is refused if it is a link, even to a good one")
    func links() async throws {
        symlink(try folder.file("real", key: Self.digits), folder.path("k"))
        #expect(try await refusal() == "k is a symbolic link: name the file itself")
    }

    @Test("is refused if it is a pipe, without waiting for it")
    func pipes() async throws {
        #expect(mkfifo(folder.path("k"), 0o600) == 0)
        #expect(try await refusal() == "k is no plain file")
    }

    @Test("is refused if it is a folder")
    func folders() async throws {
        try FileManager.default.createDirectory(atPath: folder.path("k"), withIntermediateDirectories: false)
        #expect(try await refusal() == "k is no plain file")
    }

    @Test(
        "is refused if it holds no key, and is not quoted",
        arguments: [
            "", "\n", String(digits.dropLast()), digits + "0", digits + "\n\n", digits.replacing("f", with: "g"),
        ]
    )
    func contents(text: String) async throws {
        _ = try folder.file("k", key: text)
        #expect(try await refusal() == "k holds no key: 64 hexadecimal digits")
    }

    @Test("is refused if its path is none", arguments: ["", "/", "missing/key"])
    func paths(path: String) async throws {
        let place = path.hasPrefix("m") ? folder.path(path) : path
        let store = EncryptedFileTokenStore(path: folder.path("t"), key: .file(place))
        let error = await #expect(throws: TokenStoreError.self) {
            try await store.save(EncryptedFileTokenStoreTests.credentials)
        }
        guard case .unusableKeyFile = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("is refused if it is the token file, by whatever path", arguments: ["t", "./t", "linked/t"])
    func tokenFile(name: String) async throws {
        symlink(folder.path(""), folder.path("linked"))
        let before = try folder.file("t", key: Self.digits)
        let store = EncryptedFileTokenStore(path: before, key: .file(folder.path("") + "/" + name))
        let other = EncryptedFileTokenStore(path: before, key: .passphrase("p", cost: .low))
        let same = TokenStoreError.unusableKeyFile(reason: "the key file is the token file: give it another path")

        await #expect(throws: same) { try await store.load() }
        await #expect(throws: same) { try await store.save(EncryptedFileTokenStoreTests.credentials) }
        await #expect(throws: same) { try await store.remove() }
        #expect(folder.content("t") == Data(Self.digits.utf8))

        try await other.remove()
        await #expect(throws: same) { try await store.save(EncryptedFileTokenStoreTests.credentials) }
        #expect(!folder.names.contains("t"))
        try await other.save(EncryptedFileTokenStoreTests.credentials)
        await #expect(throws: same) { try await other.rotate(to: .file(folder.path("") + "/" + name)) }
        #expect(try await other.load() == EncryptedFileTokenStoreTests.credentials)
    }
}
