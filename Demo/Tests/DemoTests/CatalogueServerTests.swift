import Foundation
import MagazineServer
import Testing

@Suite("CatalogueServer")
struct CatalogueServerTests {
    private static let production = server(withProofs: false)
    private static let staging = server(withProofs: true)

    private static func server(withProofs: Bool) -> CatalogueServer? {
        let magazine = try? Magazine(folder: Program.magazine, mediaURL: "http://m", withProofs: withProofs)
        return magazine.map { CatalogueServer(magazine: $0, clientKey: "key", allowsPreview: withProofs) }
    }

    private func ask(
        _ target: String,
        method: String = "GET",
        of server: CatalogueServer? = production,
        authorization: String? = "method=clientkey,token=key",
        previewApp: String? = nil
    ) throws -> Answer {
        let request = ServerRequest(
            method: method,
            target: target,
            host: "h",
            authorization: authorization,
            previewApp: previewApp
        )
        return try #require(server).answer(try #require(request))
    }

    private func ids(_ answer: Answer, in collection: String) throws -> [String] {
        let members = try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
        let elements = try #require(members[collection] as? [[String: Any]])
        return elements.compactMap { ($0["id"] as? String).map { String($0.suffix(5)) } }
    }

    @Test(
        "answers each row of the read API",
        arguments: [
            ("/volumes", "volumes", ["a0001", "a0002"]),
            ("/volumes?limit=1&page=2", "volumes", ["a0002"]),
            ("/volumes/6e676c6173730000000a0002", "volumes", ["a0002"]),
            ("/volumes/sku/example.nightglass.volume.1", "volumes", ["a0001"]),
            ("/issues", "issues", ["b0001", "b0002", "b0003", "b0004"]),
            ("/issues/6e676c6173730000000b0003", "issues", ["b0003"]),
            ("/issues/6e676c6173730000000b0003/since/2025-06-30T00:00:00Z", "issues", ["b0003"]),
            ("/issues/sku/example.nightglass.issue.20250106", "issues", ["b0001"]),
            ("/issues/published?limit=2", "issues", ["b0001", "b0002"]),
            ("/issues/published/since/2025-09-01T17:04:00+00:00", "issues", ["b0004"]),
            ("/articles?limit=2&page=3", "articles", ["c0005", "c0006"]),
            ("/articles/since/2025-09-01T15:00:00%2B00:00", "articles", ["c0031", "c0032"]),
            ("/articles/published?limit=1&page=32", "articles", ["c0032"]),
            ("/articles/published/since/2025-09-01T15:00:00Z", "articles", ["c0031", "c0032"]),
            ("/articles/6e676c6173730000000c0009,nope,6e676c6173730000000c0002", "articles", ["c0009", "c0002"]),
            ("/articles/sku/example.nightglass.article.3", "articles", ["c0003"]),
            ("/articles/section/Fiction", "articles", ["c0008", "c0016", "c0024", "c0032"]),
            ("/articles/title/One%20O%27Clock%2C%20More%20or%20Less", "articles", ["c0009"]),
            ("/media/6e676c6173730000000d0201,6e676c6173730000000d0001", "media", ["d0201", "d0001"]),
        ]
    )
    func row(target: String, collection: String, expected: [String]) throws {
        let answer = try ask(target)

        #expect(answer.status == 200)
        #expect(try ids(answer, in: collection) == expected)
    }

    @Test(
        "shows drafts to a key and an app that may see them",
        arguments: [
            ("/issues/preview", "issues", ["b0005"]),
            ("/issues/preview/since/2026-01-05T17:05:00Z", "issues", ["b0005"]),
            ("/articles/preview?limit=2", "articles", ["c0033", "c0034"]),
        ]
    )
    func drafts(target: String, collection: String, expected: [String]) throws {
        #expect(try ids(ask(target, of: Self.staging, previewApp: "preview"), in: collection) == expected)
        #expect(try ask(target, of: Self.staging).status == 403)
        #expect(try ask(target, previewApp: "preview").status == 403)
    }

    @Test("gives an issue with only those of its articles that changed since then, inclusively")
    func articlesSince() throws {
        let answer = try ask("/issues/6e676c6173730000000b0001/since/2025-01-06T15:49:31.733103+00:00")
        let members = try JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
        let issues = members?["issues"] as? [[String: Any]]
        let articles = issues?.first?["articles"] as? [[String: Any]]

        #expect(
            articles?.compactMap { $0["id"] as? String } == ["6e676c6173730000000c0007", "6e676c6173730000000c0008"]
        )
    }

    @Test("links to the next page, and from the last to none")
    func pages() throws {
        let first = String(decoding: try ask("/volumes?limit=1").body, as: UTF8.self)
        let last = String(decoding: try ask("/volumes?limit=1&page=2").body, as: UTF8.self)

        #expect(first.contains(#""next":"http://h/volumes?limit=1&page=2""#))
        #expect(last.contains(#""next":null"#))
    }

    @Test(
        "refuses by status and code",
        arguments: [
            ("/volumes/6e676c6173730000000a0003", 410, "withdrawn"),
            ("/volumes/sku/example.nightglass.volume.3", 410, "withdrawn"),
            ("/articles/6e676c6173730000000c0033", 404, "unknown"),
            ("/articles/6e676c6173730000000c0036", 404, "unknown"),
            ("/media/nope", 404, "unknown"),
            ("/articles/since/yesterday", 400, "timestamp"),
            ("/nowhere", 404, "unknownPath"),
            ("/issues/a/b/c/d", 404, "unknownPath"),
        ]
    )
    func refusals(target: String, status: Int, code: String) throws {
        let answer = try ask(target)

        #expect(answer.status == status)
        #expect(try JSONDecoder().decode([String: String].self, from: answer.body)["code"] == code)
    }

    @Test("answers nobody without the key, and reads only")
    func access() throws {
        #expect(try ask("/volumes", authorization: nil).status == 401)
        #expect(try ask("/volumes", authorization: "method=clientkey,token=other").status == 401)
        #expect(try ask("/volumes", method: "POST").status == 405)
    }

    @Test("as a media host refuses whoever shows a secret, and gives no file but its own")
    func mediaHost() throws {
        let server = MediaServer(folder: Program.magazine.appending(path: "files"))
        func status(_ target: String, authorization: String? = nil, previewApp: String? = nil) throws -> Int {
            let request = ServerRequest(
                method: "GET",
                target: target,
                host: "h",
                authorization: authorization,
                previewApp: previewApp
            )
            return server.answer(try #require(request)).status
        }

        #expect(try status("/cover1.png") == 200)
        #expect(try status("/cover1.png", authorization: "x") == 400)
        #expect(try status("/cover1.png", previewApp: "preview") == 400)
        #expect(try status("/..%2Fmagazine.json") == 404)
        #expect(try status("/%2e%2e/magazine.json") == 404)
        #expect(try status("/") == 404)
    }
}
