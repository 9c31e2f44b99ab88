import Foundation
import MastheadCrypto
import MastheadNetworking
import Testing

@Suite("A damaged token file", .timeLimit(.minutes(2)))
struct TokenFileDamageTests {
    private let folder: TestFolder
    private let store: EncryptedFileTokenStore

    init() throws {
        folder = try TestFolder()
        store = EncryptedFileTokenStore(path: folder.path("t"), key: .file(folder.path("k")))
    }

    /// Puts bytes in the place of the file, and tells what reading and writing it end in; both must keep it.
    private func problem(with bytes: Data, _ store: EncryptedFileTokenStore? = nil) async throws -> TokenStoreError? {
        let store = store ?? self.store
        _ = try folder.file("t", bytes)
        var errors: [TokenStoreError?] = []
        do throws(TokenStoreError) {
            _ = try await store.load()
            errors.append(nil)
        } catch {
            errors.append(error)
        }
        do throws(TokenStoreError) {
            try await store.save(SessionCredentials(accessToken: "another"))
            errors.append(nil)
        } catch {
            errors.append(error)
        }
        #expect(errors[0] == errors[1])
        #expect(folder.content("t") == bytes)
        return errors[0]
    }

    @Test("is found out and kept, whichever byte was changed")
    func changes() async throws {
        try await store.save(EncryptedFileTokenStoreTests.credentials)
        let whole = try #require(folder.content("t"))
        for index in whole.indices {
            var changed = whole
            changed[index] ^= index.isMultiple(of: 2) ? 1 : 0x80
            let error = try await problem(with: changed)
            switch error {
            case .damaged: #expect(index != 8, "byte \(index)")
            case .unknownVersion: #expect(index == 8, "byte \(index)")
            default: Issue.record("byte \(index): \(String(describing: error))")
            }
        }
    }

    @Test("is found out and kept, wherever it was cut, and with something behind it")
    func cuts() async throws {
        try await store.save(EncryptedFileTokenStoreTests.credentials)
        let whole = try #require(folder.content("t"))
        let others = [whole + Data([0]), whole + whole, whole + Data(count: 70_000)]
        for changed in (0..<whole.count).map({ Data(whole.prefix($0)) }) + others {
            let error = try await problem(with: changed)
            guard case .damaged = error else {
                Issue.record("\(changed.count) bytes: \(String(describing: error))")
                continue
            }
        }
    }

    @Test("cannot be put together of two files of one key")
    func mixes() async throws {
        try await store.save(EncryptedFileTokenStoreTests.credentials)
        let first = try #require(folder.content("t"))
        try await store.save(EncryptedFileTokenStoreTests.credentials)
        let second = try #require(folder.content("t"))
        let mixed = Data(first.prefix(68)) + Data(second.dropFirst(68))
        #expect(try await problem(with: mixed) == .damaged(reason: "what is sealed in it was changed"))
    }

    /// A header that was forged together with its check.
    private func forged(_ file: Data, _ change: (inout Data) -> Void) throws -> Data {
        var file = file
        change(&file)
        file.replaceSubrange(60..<68, with: try Digest.sha256(file.prefix(60)).bytes.prefix(8))
        return file
    }

    @Test("is found out if its header was forged, too")
    func forgeries() async throws {
        try await store.save(EncryptedFileTokenStoreTests.credentials)
        let whole = try #require(folder.content("t"))
        #expect(try forged(whole) { _ in } == whole)
        for index in 9..<60 {
            let error = try await problem(with: try forged(whole) { $0[index] ^= 4 })
            switch error {
            case .damaged: #expect(!(32..<48).contains(index), "byte \(index)")
            // It says that it has another key, and nobody can tell that it lies.
            case .wrongKey: #expect((32..<48).contains(index), "byte \(index)")
            default: Issue.record("byte \(index): \(String(describing: error))")
            }
        }
    }

    @Test(
        "gets no memory and no time for hostile numbers",
        arguments: [
            (255, 8, 1), (21, 1, 1), (20, 8, 1), (18, 16, 1), (17, 8, 5), (19, 4, 4), (9, 8, 1), (0, 8, 1), (17, 0, 1),
            (17, 255, 1), (17, 8, 0), (10, 8, 255), (10, 33, 1), (255, 255, 255),
        ]
    )
    func hostileNumbers(cost: UInt8, size: UInt8, parallelism: UInt8) async throws {
        let store = EncryptedFileTokenStore(path: folder.path("t"), key: .passphrase("p", cost: .low))
        try await store.save(EncryptedFileTokenStoreTests.credentials)
        let whole = try #require(folder.content("t"))
        let other = EncryptedFileTokenStore(path: folder.path("t"), key: .passphrase("p", cost: .low))
        let file = try forged(whole) { $0.replaceSubrange(10..<13, with: [cost, size, parallelism]) }
        let error = try await problem(with: file, other)
        #expect(error == .damaged(reason: "it asks for more work, or less, than a passphrase is given"))
    }

    @Test("takes what a passphrase's file may ask for", arguments: [(10, 8, 1), (18, 8, 1), (17, 16, 1), (16, 8, 8)])
    func friendlyNumbers(cost: UInt8, size: UInt8, parallelism: UInt8) throws {
        let cost = try PassphraseCost(logarithmicCost: cost, blockSize: size, parallelism: parallelism)
        #expect(cost != .standard)
    }

    @Test("of another version is left to those who know it")
    func versions() async throws {
        let later = Data("MHTOKENS".utf8) + Data([2, 7, 7])
        #expect(try await problem(with: later) == .unknownVersion(2))
    }

    @Test("may be anything", arguments: [Data(), Data("MHTOKENS".utf8), Data("{}".utf8), Data(count: 4096)])
    func foreign(bytes: Data) async throws {
        #expect(try await problem(with: bytes) == .damaged(reason: "it is no token file"))
    }
}
