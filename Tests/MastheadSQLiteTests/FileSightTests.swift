import FoundationEssentials
import MastheadSQLite
import Testing

#if canImport(Glibc)
import Glibc
#endif

@Suite("The sight of a file", .enabled(if: isLinux))
struct FileSightTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        for name in ["test.db", "other.db"] { try Data("content".utf8).write(to: URL(filePath: folder.path(name))) }
    }

    /// A sight that trusts each change to have a time of its own, and a full look for ever.
    private func sight() throws -> FileSight? { FileSight(folder.path(), tick: -1 << 40, longest: 1 << 40) }

    @Test("knows nothing before the first full look, and all is well after it")
    func beginsWithLook() throws {
        guard var sight = try sight() else { throw TestFailure() }
        #expect((!sight.isUnchanged) as Bool)
        sight.prepare()
        #expect((sight.isUnchanged) as Bool)
    }

    @Test("sees that the file was removed, or that another took its place")
    func seesRemoval() throws {
        guard var sight = try sight() else { throw TestFailure() }
        sight.prepare()
        try #require(rename(folder.path("other.db"), folder.path()) == 0)
        #expect((!sight.isUnchanged) as Bool)
        sight.prepare()
        #expect((!sight.isUnchanged) as Bool, "the path leads to another file")
    }

    @Test("sees that the file was moved aside")
    func seesMove() throws {
        guard var sight = try sight() else { throw TestFailure() }
        sight.prepare()
        // Until the system's clock has ticked.
        var tries = 0
        while sight.isUnchanged, tries < 100_000 {
            try #require(rename(folder.path(), folder.path("aside.db")) == 0)
            try #require(rename(folder.path("aside.db"), folder.path()) == 0)
            tries += 1
        }
        #expect((!sight.isUnchanged) as Bool)
    }

    @Test("trusts neither a change of a moment ago nor a look of long ago")
    func trustsNothingForLong() throws {
        guard var young = FileSight(folder.path(), tick: 1 << 40, longest: 1 << 40),
            var old = FileSight(folder.path(), tick: -1 << 40, longest: 0)
        else { throw TestFailure() }
        young.prepare()
        #expect((!young.isUnchanged) as Bool)
        old.prepare()
        #expect((!old.isUnchanged) as Bool)
    }
}

private struct TestFailure: Error {}

private var isLinux: Bool {
    #if os(Linux)
    true
    #else
    false
    #endif
}
