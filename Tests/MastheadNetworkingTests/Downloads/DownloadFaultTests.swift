import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Downloads into places that do not take them, and several into one.
@Suite("A download into", .timeLimit(.minutes(2)))
struct DownloadFaultTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    @Test("a place where no file can be ends in a typed error, and nothing is sent")
    func places() async throws {
        let server = try ScriptedServer { _ in .text("content") }
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration())
        let file = try folder.file("file", Data("old".utf8))
        symlink(file, folder.path("linked.part"))

        for path in [
            "", folder.path(""), folder.path("none/file"), file + "/file", file + "\0.txt", folder.path("linked"),
        ] {
            #expect(await repository.download(.get("file"), to: path).failure?.label == "fileAccess", "\(path)")
        }
        #expect(folder.content("file") == Data("old".utf8))
        #expect(server.requests.isEmpty)
    }

    @Test("a file that another download is bringing ends in a typed error, and leaves that one alone")
    func twoIntoOne() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(.text("content").held(until: gate, afterBodyBytes: 3), .text("second"))
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration())
        let path = folder.path("file")
        let first = Task { await repository.download(.get("file"), to: path) }
        try await gate.waiters(count: 1)

        #expect(await repository.download(.get("file"), to: path).failure?.label == "fileAccess")
        gate.open()

        #expect(try await first.value.get().size == 7)
        #expect(folder.content("file") == Data("content".utf8))
        #expect(try await repository.download(.get("file"), to: path).get().size == 6)
    }

    @Test("one path, by many at once, never makes a file of two")
    func manyIntoOne() async throws {
        let served = ServedFile(content: ServedFile.bytes(200_000))
        let count = Lock(0)
        let server = try ScriptedServer { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            let answer = served.answer(to: request)
            return number % 3 == 0 ? answer.cut(afterBodyBytes: 70_000) : answer
        }
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration())
        let path = folder.path("file")
        let expected = served.content

        let successes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<300 {
                group.addTask {
                    guard case .success = await repository.download(.get("file"), to: path) else { return false }
                    // Whoever replaced it meanwhile has the same.
                    return FileManager.default.contents(atPath: path) == expected
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }

        #expect(successes > 0)
        #expect(folder.content("file") == expected)
    }

    @Test("a file bigger than the process may write ends in a typed error, and not the process")
    func tooBig() async throws {
        // In a process of its own, whose limit no other test meets.
        await #expect(processExitsWith: .success) {
            let server = try ScriptedServer(.generated(byteCount: 8 << 20))
            let repository = AbstractRepository(configuration: server.configuration())
            let folder = try TestFolder()
            var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)

            let failure = await repository.download(.get("file"), to: folder.path("file")).failure

            #expect(failure?.label == "fileAccess")
            #expect(failure?.description.contains("File too large") == true)
            #expect(folder.names.isEmpty)
        }
    }

    @Test("a file bigger than the process may write ends as soon as that is known, though the server has more to say")
    func tooBigOfHeldBody() async throws {
        await #expect(processExitsWith: .success) {
            let gate = ScriptedServer.Gate()
            let server = try ScriptedServer(.generated(byteCount: 8 << 20).held(until: gate, afterBodyBytes: 50_000))
            let repository = AbstractRepository(configuration: server.configuration())
            let folder = try TestFolder()
            var limit = rlimit(rlim_cur: 40_000, rlim_max: 40_000)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)

            // The gate stays shut: nothing else ends it before the idle timeout, and that with another error.
            #expect(await repository.download(.get("file"), to: folder.path("file")).failure?.label == "fileAccess")
        }
    }

    @Test("a file of 256 MiB takes no more memory than a small one")
    func flatMemory() async throws {
        await #expect(processExitsWith: .success) {
            let size = 256 << 20
            let server = try ScriptedServer { _ in .generated(byteCount: size) }
            let repository = AbstractRepository(configuration: server.configuration())
            let folder = try TestFolder()
            _ = try await repository.perform(Request<Void>.head("file")).get()
            let before = try PeakMemory.bytes()

            let file = try await repository.download(.get("file"), to: folder.path("file")).get()

            #expect(file.size == size)
            #expect(try PeakMemory.bytes() - before < 12 << 20)
        }
    }
}

/// The most memory this process has had.
enum PeakMemory {
    static func bytes() throws -> Int {
        let status = try String(contentsOf: URL(filePath: "/proc/self/status"), encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(Int(line.filter(\.isNumber))) * 1024
    }
}
