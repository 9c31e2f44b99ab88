import Foundation
import MastheadNetworking
import Testing

@Suite("Several writers of a token file", .timeLimit(.minutes(1)))
struct TokenFileProcessTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private static func store(in folder: String) -> EncryptedFileTokenStore {
        EncryptedFileTokenStore(path: folder + "/t", key: .file(folder + "/k"))
    }

    private static func credentials(_ index: Int) -> SessionCredentials {
        SessionCredentials(accessToken: Secret("token"), refreshToken: Secret("\(index)"))
    }

    @Test("never show a reader anything but what one of them saved")
    func sideBySide() async throws {
        let folder = folder.path("")
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<6 {
                group.addTask {
                    let store = Self.store(in: folder)
                    for turn in 0..<20 {
                        do {
                            try await store.save(Self.credentials(100 * writer + turn))
                            let seen = try await store.load()
                            #expect(seen?.accessToken == Secret("token"))
                        } catch {
                            Issue.record(error)
                        }
                    }
                }
            }
        }
        #expect(self.folder.names == [".k.lock", ".t.lock", "k", "t"])
    }

    @Test("leave a whole file when they are killed, and nothing that the next does not clear away")
    func killed() async throws {
        let path = folder.path("")
        for _ in 0..<4 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                let store = TokenFileProcessTests.store(in: path)
                // Each writer ends the others, in the middle of whatever they are doing.
                await withTaskGroup(of: Void.self) { group in
                    for writer in 0..<4 {
                        group.addTask {
                            for turn in 0..<20 {
                                try? await store.save(TokenFileProcessTests.credentials(100 * writer + turn))
                            }
                            kill(getpid(), SIGKILL)
                        }
                    }
                }
            }
            let loaded = try await Self.store(in: path).load()
            #expect(loaded?.accessToken == Secret("token"))
        }
        try await Self.store(in: path).save(Self.credentials(0))
        #expect(folder.names == [".k.lock", ".t.lock", "k", "t"])
    }

    @Test("clear away what one of them left, and nothing of another file's")
    func leftovers() async throws {
        let others = [".t.x.12.tmp", ".t.12x.tmp", ".t..tmp", ".tt.12.tmp", "t.12.tmp"]
        for name in others + [".t.12.tmp", ".t.340282366920938.tmp"] { _ = try folder.file(name, Data("half".utf8)) }
        try await Self.store(in: folder.path("")).save(Self.credentials(0))
        #expect(Set(folder.names) == Set(others + [".k.lock", ".t.lock", "k", "t"]))
    }
}
