import CatalogueKit
import Dispatch
import Foundation
import MastheadLock
import MastheadNetworking
import MastheadPublishing
import MastheadTesting
import Testing

// Defects 37 to 44: threads, transactions, and where the library is.
extension DefectTests {
    @Test("defect 37: nothing is read, parsed or written on the main queue")
    @MainActor
    func defect37() async throws {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        defer { DispatchQueue.main.setSpecific(key: key, value: nil) }
        try #require(DispatchQueue.getSpecific(key: key) == true, "the test sees the main queue")
        let seen = Lock<[String: Bool]>([:])
        let note: @Sendable (String) -> Void = { place in
            let isMain = DispatchQueue.getSpecific(key: key) == true
            seen.withLock { $0[place] = $0[place] == true || isMain }
        }
        let configuration = NetworkingConfiguration(domainURL: "api.example.org") {
            $0.clientKey = "k3y"
            $0.onDecodingFailure = { _ in note("parsing") }
        }
        let server = StubExecutor { request in
            note("asking")
            return request.url.path.hasSuffix("i2")
                ? .json(#"{"issues":[7]}"#)
                : .json(#"{"\#(request.url.path.split(separator: "/")[0])":[{"id":"i1","title":"T"}]}"#)
        }
        let library = try await Library(
            directory: folder.directory,
            catalogue: Catalogue(configuration: configuration, executor: server),
            whenInTransaction: { _ in note("writing") }
        )
        try await library.add(issue: "i1")
        #expect(try await refusal { try await library.add(issue: "i2") } != nil)
        try await library.apply { $0.save(Article(id: "a1", title: "A")) }
        #expect(seen.withLock { $0 } == ["asking": false, "parsing": false, "writing": false])
    }

    @Test("defect 38: what is done at once is done whole, one after the other")
    func defect38() async throws {
        let publisher = StubPublisher(StubCatalogue(volumes: 1, issues: 4, articles: 10))
        let library = try await Library(directory: folder.directory, catalogue: publisher.repositories())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<16 {
                group.addTask {
                    switch number % 4 {
                    case 0: try await library.add(volume: "v0")
                    case 1: try await library.add(issue: "v0i\(number % 3)")
                    case 2: try await library.add(article: "v0i1a\(number % 10)")
                    default:
                        for place in 0..<10 {
                            try await library.apply { $0.save(Article(id: "n\(number)x\(place)", title: "N")) }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await library.articles.count() == 40 + 40)
        #expect(try await library.assets.count() == 1 + 4 + 80)
        for issue in publisher.catalogue.issues {
            #expect(try await library.articles.inIssue(issue.id).ids() == issue.articleIDs)
        }
    }

    @Test("defect 39: whoever observes hears of a change when it is done, and may write then")
    func defect39() async throws {
        let isOpen = Lock(false)
        let library = try await Library(directory: folder.directory) { isOpening in
            isOpen.withLock { $0 = isOpening }
        }
        let other = try await folder.open()
        let observer = Task {
            var heard: [Int] = []
            for await page in library.observe(library.issues) {
                let count = page.count
                heard.append(count)
                if count == 40 { break }
                // An answer to each; until then nobody writes.
                guard count % 2 == 1 else { continue }
                #expect(!isOpen.withLock { $0 })
                // It is there for everybody by then.
                #expect(try await other.issues.count() == count)
                try await library.apply { $0.save(Issue(id: "answer \(count)", title: "T")) }
            }
            return heard
        }
        var pages = library.observe(library.issues).makeAsyncIterator()
        for number in 0..<20 {
            try await library.apply { $0.save(Issue(id: "i\(number)", title: "T")) }
            while let page = await pages.next(), page.count < 2 * number + 2 { continue }
        }
        let heard = try await observer.value
        #expect(heard == Set(heard).sorted())
    }

    @Test("defect 40: what was read stays what it was, in any task, when it is deleted and the library is closed")
    func defect40() async throws {
        let library = try await folder.open()
        try await library.apply { $0.save(Article(id: "a1", title: "Before", body: "text", keywords: ["k"])) }
        let article = try #require(try await library.article("a1"))
        let page = try await library.articles.all()
        try await library.apply { $0.save(Article(id: "a1", title: "After", body: "other")) }
        try await library.apply { $0.delete(article: "a1") }
        await library.close()
        let read = await Task.detached { [article.title, article.body, page[0].title] + page[0].keywords }.value
        #expect(read == ["Before", "text", "Before", "k"])
    }

    @Test("defect 41: a known issue may come again while it is deleted, in one transaction and in two at once")
    func defect41() async throws {
        let publisher = StubPublisher(StubCatalogue(volumes: 1, issues: 1, articles: 3))
        let library = try await Library(directory: folder.directory, catalogue: publisher.repositories())
        try await library.add(issue: "v0i0")
        let issue = try #require(try await library.issue("v0i0"))
        let articles = try await library.articles(issue.articleIDs)
        let assets = try await library.assets.all()
        for _ in 0..<2 {
            try await library.apply {
                $0.delete(articlesOf: issue.id)
                $0.delete(issue: issue.id)
                $0.save(assets)
                $0.save(articles)
                $0.save(issue)
            }
        }
        #expect(try await library.articles(issue.articleIDs) == articles)
        #expect(try await library.issue(issue.id) == issue)
        #expect(try await library.assets.count() == assets.count)
        for _ in 0..<5 {
            async let coming: SyncReport = library.add(issue: "v0i0")
            async let going: Void = library.apply { $0.delete(issue: "v0i0") }
            _ = try await (coming, going)
        }
        try await library.add(issue: "v0i0")
        #expect(try await library.articles.inIssue("v0i0").bodies().all() == articles)
    }

    @Test("defect 42: a deletion ends well, and again when there is nothing left to delete")
    func defect42() async throws {
        let library = try await folder.open()
        try await library.apply {
            $0.save([Asset(id: "m1", caption: "C"), Asset(id: "m2", caption: "C")])
            $0.save(Article(id: "a1", title: "A", assetIDs: ["m1"]))
            $0.save(Issue(id: "i1", title: "I", articles: [.init(id: "a1")], assetIDs: ["m2"]))
            $0.save(Volume(id: "v1", title: "V", issueIDs: ["i1"]))
        }
        try await library.take(folder.makeFile("a.jpg"), for: "m1")
        let issue = try #require(try await library.issue("i1"))
        for _ in 0..<2 {
            try await library.apply { $0.delete(article: "a1") }
            try await library.apply { $0.delete(issue: issue.id) }
            try await library.apply { $0.delete(volume: "v1") }
            try await library.apply { $0.delete(asset: "m1") }
        }
        #expect(issue.articleIDs == ["a1"])
        #expect(try await library.volumes.count() == 0)
        #expect(try await library.issues.count() == 0)
        #expect(try await library.articles.count() == 0)
        #expect(try await library.assets.count() == 0)
        #expect(folder.fileNames.isEmpty)
    }

    @Test("defect 43: each library is in its own folder, whichever was opened last; one in another is a third")
    func defect43() async throws {
        let outer = try await folder.open()
        let directories = [
            folder.parent.appending(path: "second"), folder.directory.appending(path: "inner"),
        ]
        var others: [Library] = []
        for directory in directories { others.append(try await Library(directory: directory)) }
        for (number, library) in ([outer] + others).enumerated() {
            try await library.apply { $0.save(Article(id: "a\(number)", title: "A")) }
            try await library.apply { $0.save(Asset(id: "m", caption: "\(number)")) }
            try await library.take(folder.makeFile("\(number).txt", "\(number)"), for: "m")
        }
        for (number, library) in ([outer] + others).enumerated() {
            #expect(try await library.articles.ids() == ["a\(number)"])
            let file = try #require(try await library.file(of: "m"))
            #expect(try String(contentsOf: file, encoding: .utf8) == "\(number)")
            #expect(file.path.hasPrefix(library.directory.path + "/"))
        }
    }

    @Test(
        "defect 44: the folder's name means nothing, and it may be moved",
        arguments: ["Documents", "DocumentsX", "My Documents/Documents", "Documents/Documents", "ä 'b' %20#?"]
    )
    func defect44(name: String) async throws {
        let manager = FileManager.default
        let old = folder.parent.appending(path: name).appending(path: "Documents")
        try manager.createDirectory(at: old.deletingLastPathComponent(), withIntermediateDirectories: true)
        let library = try await Library(directory: old)
        try await library.apply { $0.save(Asset(id: "m", caption: "C")) }
        try await library.take(folder.makeFile("a.txt", "text"), for: "m")
        #expect(try await library.file(of: "m")?.path.hasPrefix(old.path + "/files/") == true)
        await library.close()
        let new = folder.parent.appending(path: "moved").appending(path: name)
        try manager.createDirectory(at: new.deletingLastPathComponent(), withIntermediateDirectories: true)
        try manager.moveItem(at: old, to: new)
        let moved = try await Library(directory: new)
        let file = try #require(try await moved.file(of: "m"))
        #expect(file.path.hasPrefix(new.path + "/files/"))
        #expect(try String(contentsOf: file, encoding: .utf8) == "text")
        #expect(!manager.fileExists(atPath: old.path))
    }
}
