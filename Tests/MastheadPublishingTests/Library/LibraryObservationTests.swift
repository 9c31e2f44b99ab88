import Foundation
import MastheadPublishing
import Testing

@Suite("Observing the library", .timeLimit(.minutes(1)))
struct LibraryObservationTests {
    private let folder: LibraryFolder

    init() throws {
        folder = try LibraryFolder()
    }

    @Test("tells what is there, and each change")
    func tells() async throws {
        let library = try await folder.open()
        try await library.apply { $0.save(Issue(id: "i", title: "T", articles: [.init(id: "b"), .init(id: "a")])) }
        var pages = library.observe(library.articles.inIssue("i")).makeAsyncIterator()
        #expect(await pages.next() == [])
        try await library.apply { $0.save(Article(id: "a", title: "A")) }
        #expect(await pages.next()?.map(\.title) == ["A"])
        try await library.apply { $0.save(Article(id: "b", title: "B")) }
        #expect(await pages.next()?.map(\.title) == ["B", "A"])
        try await library.apply {
            $0.save(Issue(id: "i", title: "T", articles: [.init(id: "a"), .init(id: "b")]))
        }
        #expect(await pages.next()?.map(\.title) == ["A", "B"])
        try await library.apply { $0.delete(article: "a") }
        #expect(await pages.next()?.map(\.title) == ["B"])
    }

    @Test("does not wake for what changes nothing in it, and comes to the last")
    func onlyChanges() async throws {
        let library = try await folder.open()
        var pages = library.observe(library.articles.ofType("x")).makeAsyncIterator()
        #expect(await pages.next() == [])
        for number in 0..<20 {
            try await library.apply { $0.save(Article(id: "n\(number)", title: "T", type: "y")) }
        }
        for number in 0..<20 {
            try await library.apply { $0.save(Article(id: "a", title: "T\(number)", type: "x")) }
        }
        #expect(await pages.next()?.map(\.title) == ["T19"])
        let observation = library.observe(library.articles.ofType("x"))
        let reader = Task {
            var told: [[String]] = []
            for await page in observation {
                told.append(page.map(\.title))
                if page.first?.title == "Last" { break }
            }
            return told
        }
        while library.observerCount < 2 { await Task.yield() }
        for number in 0..<20 {
            try await library.apply { $0.save(Article(id: "o\(number)", title: "T", type: "y")) }
        }
        try await library.apply { $0.save(Article(id: "a", title: "Last", type: "x")) }
        let told = await reader.value
        #expect(told.last == ["Last"])
        #expect(zip(told, told.dropFirst()).allSatisfy { $0 != $1 })
    }

    @Test("ends when the library is closed, and when its task is cancelled; then nobody is listening")
    func ends() async throws {
        let library = try await folder.open()
        let observation = library.observe(library.issues)
        let reader = Task {
            var count = 0
            for await _ in observation { count += 1 }
            return count
        }
        while library.observerCount == 0 { await Task.yield() }
        reader.cancel()
        #expect(await reader.value <= 1)
        #expect(library.observerCount == 0)
        var pages = library.observe(library.issues).makeAsyncIterator()
        #expect(await pages.next() == [])
        await library.close()
        #expect(await pages.next() == nil)
    }

    @Test("hears of what another library on the same folder does")
    func others() async throws {
        let (library, other) = (try await folder.open(), try await folder.open())
        var pages = library.observe(library.issues).makeAsyncIterator()
        #expect(await pages.next() == [])
        try await other.apply { $0.save(Issue(id: "i", title: "Theirs")) }
        #expect(await pages.next()?.map(\.title) == ["Theirs"])
    }

    @Test("hears of what another process does, which hears of it in turn")
    func processes() async throws {
        let library = try await folder.open()
        let issues = library.observe(library.issues)
        async let child: Void = expectChild(path: folder.directory.path)
        // Its first word, our answer, and its last.
        for await titles in issues where titles.contains(where: { $0.id == "child" }) { break }
        try await library.apply { $0.save(Issue(id: "parent", title: "T")) }
        for await titles in issues where titles.contains(where: { $0.id == "end" }) { break }
        await child
        #expect(Set(try await library.issues.ids()) == ["child", "parent", "end"])
    }

    private func expectChild(path: String) async {
        await #expect(processExitsWith: .success) { [path = path as String] in
            let library = try await Library(directory: URL(filePath: path))
            let issues = library.observe(library.issues)
            try await library.apply { $0.save(Issue(id: "child", title: "T")) }
            for await found in issues where found.contains(where: { $0.id == "parent" }) { break }
            try await library.apply { $0.save(Issue(id: "end", title: "T")) }
            await library.close()
        }
    }
}
