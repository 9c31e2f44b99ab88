import BenchmarkSide

extension Scenario {
    /// The scenarios of the area `library`, in the order they are run in.
    static let library: [Scenario] = [
        Scenario(
            name: "library.insert100k",
            unit: .articles,
            entries: 100_000,
            parts: both(.insert, 1),
            note:
                "100,000 articles of 2.5 KB in one transaction, with keywords and assets, to be indexed later; "
                + "floor: plain INSERTs of rows that are known to be new; on neither side is the log moved into the "
                + "file within that time"
        ),
        Scenario(
            name: "library.insert100kIndexed",
            unit: .articles,
            entries: 100_000,
            parts: both(.insertIndexed, 1),
            note:
                "the same with the full-text index in the same transaction; the floor is given the texts without "
                + "their tags, looks up the captions by a join, and has the same hashsize"
        ),
        Scenario(
            name: "library.byID",
            unit: .articles,
            entries: 100_000,
            parts: both(.byID, 10),
            note:
                "10,000 articles out of 100,000 by id, with their texts, as values in one call; floor: each row "
                + "copied into a block of its own"
        ),
        Scenario(
            name: "library.page20",
            unit: .pages,
            entries: 100_000,
            parts: both(.page, 20_000),
            note: "a page of 20 of an issue out of 2,000, in its order, as values without texts"
        ),
        Scenario(
            name: "library.search",
            unit: .searches,
            entries: 100_000,
            parts: both(.search, 100),
            note:
                "a word of 9 in 100 of 100,000 articles: the 20 best hits with their articles, highlights and "
                + "snippets"
        ),
        Scenario(
            name: "library.searchCommon",
            unit: .searches,
            entries: 100_000,
            parts: [
                .ours: Part(library: .searchCommon, requests: 100),
                .floor: Part(floor: .searchCommon, requests: 10),
            ],
            note:
                "a word of 94 in 100 of 100,000 articles: 20 hits as above, the best of the latest 4,000; floor: "
                + "the best of all, which is far more work"
        ),
        Scenario(
            name: "library.readersBesideWriter",
            unit: .pages,
            entries: 100_000,
            parts: both(.readers, 300),
            note:
                "pages as above read on two threads while a third saves and indexes 100 articles every 10 ms for "
                + "3 s"
        ),
        Scenario(
            name: "library.observe",
            unit: .changes,
            entries: 100_000,
            parts: both(.observe, 500),
            note:
                "from the commit of a change of an article, indexed, to the new page of 20 with who observes it; the "
                + "commit is the last moment at which threads that look without a pause did not see it in the log's "
                + "index; floor: a waiting thread reads the page anew"
        ),
        Scenario(
            name: "library.sync",
            unit: .articles,
            entries: 6000,
            coding: .added,
            parts: both(.sync, 1),
            note:
                "20 volumes, 200 issues, 6,000 articles and 12,200 assets from nginx into an empty library, indexed; "
                + "floor: the same requests by libcurl, four at a time, the same rows by SQLite, and for parsing the time "
                + "that our decoder takes by itself; requests: volumes 1, issues 2, articles and assets 50 each 402"
        ),
        Scenario(
            name: "library.deltaSync",
            unit: .syncs,
            entries: 6000,
            parts: both(.deltaSync, 200),
            note:
                "the same again, with nothing changed: three requests and no write, or it fails; floor: the three "
                + "requests by libcurl, and nothing done with what came"
        ),
    ]

    /// The same work for our side and for C.
    private static func both(_ task: LibraryWorkload.Task, _ requests: Int) -> [Side: Part] {
        [.ours: Part(library: task, requests: requests), .floor: Part(floor: task, requests: requests)]
    }
}

extension Scenario.Part {
    /// Something that our side does.
    fileprivate init(library task: LibraryWorkload.Task, requests: Int) {
        self.init(program: "bench-library-ours", task: .library(task), requests: requests)
    }

    /// Something that C does.
    fileprivate init(floor task: LibraryWorkload.Task, requests: Int) {
        self.init(program: "bench-library-floor", task: .library(task), requests: requests)
    }
}
