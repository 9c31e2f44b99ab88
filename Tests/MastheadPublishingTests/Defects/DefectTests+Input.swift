import Foundation
import MastheadNetworking
import MastheadPublishing
import MastheadTesting
import Testing

// Defects 1 to 12: what comes from the server, and what does not.
extension DefectTests {
    private static let whole: [(path: String, collection: String, value: JSONValue)] = [
        ("volumes/v1", "volumes", Wire.volume),
        ("issues/i1", "issues", Wire.issue.replacing(["articles"], with: [["id": "a1"]])),
        ("articles/a1", "articles", Wire.article),
    ]

    private static func answers(_ changed: String, _ path: [String], _ value: JSONValue?) -> [String: String] {
        var answers = ["media/m1": #"{"media":[{"id":"m1"}]}"#, "media/m2": #"{"media":[{"id":"m2"}]}"#]
        for order in ["m1,m2", "m2,m1", "m1,m2,m3", "m1,m3,m2"] {
            answers["media/\(order)"] = #"{"media":[{"id":"m1"},{"id":"m2"}]}"#
        }
        for (target, collection, model) in whole {
            let model = collection == changed ? model.replacing(path, with: value) : model
            answers[target] = JSONValue.object([collection: [model]]).text
        }
        answers["issues/i2"] = #"{"issues":[{"id":"i2"}]}"#
        return answers
    }

    @Test(
        "defect 1: a field of a type that cannot be meant is an error that names its place, and stores nothing",
        arguments: [
            ("volumes", ["title"], 7), ("volumes", ["keywords"], 7), ("volumes", ["issues"], "i1"),
            ("issues", ["meta"], []), ("issues", ["articles", "0"], "a1"), ("issues", ["coverPhone"], ["m1"]),
            ("articles", ["media"], ["id": "m1"]), ("articles", ["meta", "featured"], "yes"),
            ("articles", ["body"], []),
        ] as [(String, [String], JSONValue)]
    )
    func defect1(collection: String, path: [String], value: JSONValue) async throws {
        let (library, _) = try await open(Self.answers(collection, path, value))
        let refusal = try await refusal { try await library.add(volume: "v1") }
        guard case .decodeError(let failure) = refusal else {
            Testing.Issue.record("not a decoding error: \(String(describing: refusal))")
            return
        }
        let place = path.map { $0 == "0" ? "[0]" : $0 }.joined(separator: ".").replacing(".[", with: "[")
        #expect(failure.codingPath.description.contains("\(collection)[0].\(place)"), "\(failure.codingPath)")
        switch collection {
        case "volumes": #expect(try await library.volumes.count() == 0)
        case "issues": #expect(try await library.issues.withID("i1").count() == 0)
        default: #expect(try await library.articles.count() == 0)
        }
    }

    @Test(
        "defect 1: a field that is missing, or null, is none",
        arguments: [
            ("volumes", "meta"), ("volumes", "issues"), ("volumes", "keywords"), ("issues", "articles"),
            ("issues", "meta"), ("issues", "volumes"), ("articles", "media"), ("articles", "body"),
            ("articles", "meta"),
        ]
    )
    func defect1Missing(collection: String, key: String) async throws {
        for value: JSONValue? in [nil, .null] {
            let (library, _) = try await open(Self.answers(collection, [key], value))
            try await library.add(volume: "v1")
            #expect(try await library.volume("v1") != nil)
            await library.close()
        }
    }

    @Test("defect 2: an empty answer means that there is no such thing")
    func defect2() async throws {
        let server = StubExecutor { request in
            .json(#"{"\#(request.url.path.split(separator: "/").first ?? "")":[]}"#)
        }
        let library = try await open(asking: server)
        func expect(_ error: some CustomRepositoryError & Equatable, _ call: () async throws -> some Any) async throws {
            guard case .customError(let said)? = try await refusal(call) else {
                Testing.Issue.record("an empty answer was taken for one")
                return
            }
            #expect(String(describing: said) == String(describing: error))
        }
        try await expect(VolumeError.unknownVolume) { try await library.add(volume: "v1") }
        try await expect(VolumeError.unknownVolume) { try await library.add(volumeSKU: "s") }
        try await expect(IssueError.unknownIssue) { try await library.add(issue: "i1") }
        try await expect(IssueError.unknownIssue) { try await library.add(issueSKU: "s") }
        try await expect(ArticleError.unknownArticle) { try await library.add(article: "a1") }
        try await expect(ArticleError.unknownArticle) { try await library.add(articleSKU: "s") }
        try await expect(ArticleError.unknownArticle) { try await library.refresh(article: "a1") }
        #expect(try await library.addAllVolumes().isEmpty)
        #expect(try await library.addAllIssues().isEmpty)
        #expect(try await library.addAllArticles().isEmpty)
    }

    @Test(
        "defect 3: a date that is none is an error, and soon",
        arguments: [
            "x", "T", "+00:00", "2026-13-45T99:99:99+00:00", "2026-01", "01/05/2026", "\u{0}",
            String(repeating: "9", count: 20_000),
        ]
    )
    func defect3(text: String) async throws {
        let article = Wire.article.replacing(["meta", "publishedDate"], with: .string(text))
        let (library, server) = try await open(["articles/a1": JSONValue.object(["articles": [article]]).text])
        let refusal = try await refusal { try await library.add(article: "a1") }
        guard case .decodeError(let failure) = refusal else {
            Testing.Issue.record("taken for a date: \(text.prefix(40))")
            return
        }
        #expect(failure.codingPath.description.contains("publishedDate"))
        #expect(server.requests.count == 1)
        #expect(try await library.articles.count() == 0)
    }

    @Test(
        "defect 4: any id and any SKU can be asked for, stored, found and deleted",
        arguments: ["a b", "ü/ö", "50%", "a?b#c", "x&y=z", "\"'<>\\", "[1]{2}|^`", "日本", "+1", ";:@$!*()"]
    )
    func defect4(text: String) async throws {
        let model = Wire.article.replacing(["id"], with: .string(text)).replacing(["sku"], with: .string(text))
            .replacing(["media"], with: []).replacing(["authorUrl"], with: "http://[not a url")
            .replacing(["sharingUrl"], with: .string(text))
        let body = JSONValue.object(["articles": [model]]).text
        let server = StubExecutor { _ in .json(body) }
        let library = try await open(asking: server)
        try await library.add(article: Article.ID(text))
        try await library.add(articleSKU: SKU(text))
        // One segment, and what stands in it is the id.
        let segments = server.requests.map { $0.url.absoluteString.split(separator: "/").dropFirst(2).map(String.init) }
        #expect(segments.map(\.count) == [2, 3])
        #expect(segments.compactMap { $0.last?.removingPercentEncoding } == [text, text])
        #expect(try await library.articles.withSKU(SKU(text)).first()?.id == Article.ID(text))
        #expect(try await library.article(Article.ID(text))?.authorURL == nil)
        try await library.apply { $0.delete(article: Article.ID(text)) }
        #expect(try await library.articles.count() == 0)
    }

    @Test(
        "defect 4: what cannot be asked for is an error, and is not sent",
        arguments: ["", ".", "..", "published", "sku", "a\nb"]
    )
    func defect4Unaskable(text: String) async throws {
        let (library, server) = try await open([:])
        for call in [0, 1, 2] {
            let refusal = try await refusal {
                switch call {
                case 0: try await library.add(volume: Volume.ID(text))
                case 1: try await library.add(issue: Issue.ID(text))
                default: try await library.add(article: Article.ID(text))
                }
            }
            guard case .invalidURL = refusal else {
                Testing.Issue.record("asked for \(text): \(String(describing: refusal))")
                return
            }
        }
        #expect(server.requests.isEmpty)
    }

    @Test("defect 6: an asset without any URL has no file, and everything else works")
    func defect6() async throws {
        let article = #"{"articles":[{"id":"a1","body":"<p><!-- [ASSET: m1] --></p>","media":[{"id":"m1"}]}]}"#
        let (library, server) = try await open([
            "articles/a1": article,
            "media/m1": #"{"media":[{"id":"m1","caption":"C","cdnUrl":"","url":"","meta":{"type":"image"}}]}"#,
        ])
        try await library.add(article: "a1")
        #expect(try await library.file(of: "m1") == nil)
        let asked = server.requests.count
        for role in [AssetRole.original, .thumbnail] {
            let refusal = try await refusal { try await library.fetchFile(of: "m1", role) }
            guard case .customError(AssetError.withoutFile)? = refusal else {
                Testing.Issue.record("there is no file: \(String(describing: refusal))")
                return
            }
        }
        #expect(server.requests.count == asked)
        let stored = try #require(try await library.article("a1"))
        let html = try await library.html(of: stored)
        #expect(html.contains("<span class='caption'>C</span>") && !html.contains("src="))
        try await library.apply { $0.delete(asset: "m1") }
        #expect(try await library.article("a1")?.assetIDs == [])
    }

    @Test("defect 8: each library asks with the key that it was given")
    func defect8() async throws {
        let issue = #"{"issues":[{"id":"i1","articles":[{"id":"a1"}]}]}"#
        let answers = ["issues/i1": issue, "articles/a1": #"{"articles":[{"id":"a1","body":"x"}]}"#]
        let (first, firstServer) = try await open(answers, key: "first")
        let (second, secondServer) = try await open(answers, key: "second")
        for library in [first, second] {
            try await library.add(issue: "i1")
            try await library.refresh(article: "a1")
        }
        #expect(firstServer.requests.count >= 3)
        #expect(Set(firstServer.requests.map { $0.headers["Authorization"] }) == ["method=clientkey,token=first"])
        #expect(Set(secondServer.requests.map { $0.headers["Authorization"] }) == ["method=clientkey,token=second"])
    }

    @Test(
        "defect 9: what has no date of publication is fetched once, and not again until it changes",
        arguments: [#""publishedDate":"","#, #""publishedDate":null,"#, ""]
    )
    func defect9(date: String) async throws {
        let update = #""updated":{"date":"2026-01-06T10:15:30.059998+00:00"}"#
        let article = #"{"id":"a1","body":"x","meta":{\#(date)"published":false,\#(update)}}"#
        let (library, server) = try await open([
            "issues/i1": #"{"issues":[{"id":"i1","articles":[{"id":"a1",\#(update)}]}]}"#,
            "articles/a1": #"{"articles":[\#(article)]}"#,
            "articles": #"{"articles":[\#(article)],"meta":{"pagination":{}}}"#,
        ])
        #expect(try await library.add(issue: "i1").articles == ["a1"])
        #expect(server.count(of: "/articles/a1") == 1)
        #expect(try await library.add(issue: "i1").isEmpty)
        #expect(try await library.addAllArticles(nil, page: 1).isEmpty)
        #expect(server.count(of: "/articles/a1") == 1)
        #expect(try await library.article("a1")?.publishedDate == nil)
    }

    @Test("defect 10: a file that comes from nowhere is an error")
    func defect10() async throws {
        let server = StubExecutor { request in
            let isFirst = request.url.host == "cdn.example.org"
            return isFirst ? .status(503) : .failure(.connectionLost(mayHaveBeenProcessed: false))
        }
        let library = try await open(asking: server)
        let asset = try JSONDecoder().decode(Asset.self, from: Wire.data(Wire.asset))
        try await library.apply { $0.save(asset) }
        let refusal = try await refusal { try await library.fetchFile(of: "m1") }
        guard case .connectionLost = refusal else {
            Testing.Issue.record("the last failure was not told: \(String(describing: refusal))")
            return
        }
        #expect(Set(server.requests.map(\.url.host)) == ["cdn.example.org", "origin.example.org"])
        #expect(try await library.file(of: "m1", .thumbnail) == nil)
        #expect(folder.fileNames.isEmpty)
    }

    @Test("defect 11: an answer without a body is an error")
    func defect11() async throws {
        let library = try await open(asking: StubExecutor { _ in .status(200) })
        for call in [0, 1, 2] {
            let refusal = try await refusal {
                switch call {
                case 0: try await library.add(volume: "v1")
                case 1: try await library.addAllIssues()
                default: try await library.add(article: "a1")
                }
            }
            guard case .emptyBody(status: 200)? = refusal else {
                Testing.Issue.record("an empty body was taken for an answer: \(String(describing: refusal))")
                return
            }
        }
    }

    @Test("defect 12: a look-up by SKU ends with what it looked for, whole")
    func defect12() async throws {
        let (library, _) = try await open([
            "volumes/sku/s.v": #"{"volumes":[{"id":"v1","issues":[{"id":"i1"}]}]}"#,
            "issues/i1": #"{"issues":[{"id":"i1","sku":"s.i","articles":[{"id":"a1"}]}]}"#,
            "issues/sku/s.i": #"{"issues":[{"id":"i1","sku":"s.i","articles":[{"id":"a1"}]}]}"#,
            "articles/a1": #"{"articles":[{"id":"a1","sku":"s.a","body":"x"}]}"#,
            "articles/sku/s.a": #"{"articles":[{"id":"a1","sku":"s.a","body":"x"}]}"#,
        ])
        #expect(try await library.add(articleSKU: "s.a").articles == ["a1"])
        #expect(try await library.add(issueSKU: "s.i").issues == ["i1"])
        #expect(try await library.articles.inIssue("i1").ids() == ["a1"])
        #expect(try await library.add(volumeSKU: "s.v").volumes == ["v1"])
        #expect(try await library.issues.ofVolume("v1").ids() == ["i1"])
    }
}
