import Foundation
import MastheadPublishing
import Testing

struct BodyRendererTests {
    private let assets = [
        Asset(id: "m1", caption: "Cap", source: "Src", kind: .image), Asset(id: "m2", kind: .sound),
        Asset(id: "m3", caption: "C3", kind: .video), Asset(id: "m4", kind: .other("map")),
        Asset(id: "m5", source: "S5", kind: .image),
    ]
    private let files: [Asset.ID: URL] = [
        "m1": URL(filePath: "/d/original-a.jpg"), "m2": URL(filePath: "/d/original-b.mp3"),
        "m3": URL(filePath: "/d/original-c.mp4"), "m5": URL(filePath: "/d/original-e.jpg"),
    ]

    private static let m1 =
        "<div class='article_image'><img src='file:///d/original-a.jpg' alt='Tap to enlarge image' /><div class='article_caption'><span class='source'>Src</span><span class='caption'>Cap</span></div></div>"

    @Test(
        "makes of placeholders what the earlier apps made of them, byte by byte",
        arguments: [
            ("<!-- [ASSET: m1] -->", m1),
            (
                "x <!-- [ASSET: m2] --> y",
                "x <div class='article_image'><audio src='file:///d/original-b.mp3' controls='controls' /></div> y"
            ),
            (
                "<!-- [ASSET: m3] -->",
                "<div class='article_image'><video src='file:///d/original-c.mp4' controls /><div class='article_caption'><span class='caption'>C3</span></div></div>"
            ),
            ("<!-- [ASSET: m4] -->", "<div class='article_image'></div>"),
            (
                "<p><!-- [ASSET: m5] -->tail</p>",
                "<div class='article_image'><img src='file:///d/original-e.jpg' alt='Tap to enlarge image' /><div class='article_caption'><span class='source'>S5</span></div></div><p>tail</p>"
            ),
            ("a<!-- [ASSET: zz] -->b", "ab"), ("<!-- [ASSET:m1] -->", "<!-- [ASSET:m1] -->"),
            ("<p><!-- [ASSET: m4] --></p>", "<div class='article_image'></div><p></p>"),
        ]
    )
    func compatible(body: String, expected: String) {
        #expect(BodyRenderer(form: .compatible).html(body, assets: assets, files: files) == expected)
    }

    @Test(
        "closes what it opens, and leaves no empty paragraph, in the corrected form",
        arguments: [
            ("<!-- [ASSET: m1] -->", m1),
            (
                "x <!-- [ASSET: m2] --> y",
                "x <div class='article_image'><audio src='file:///d/original-b.mp3' controls='controls'></audio></div> y"
            ),
            (
                "<!-- [ASSET: m3] -->",
                "<div class='article_image'><video src='file:///d/original-c.mp4' controls></video><div class='article_caption'><span class='caption'>C3</span></div></div>"
            ),
            ("<p><!-- [ASSET: m4] --></p>z", "<div class='article_image'></div>z"),
            ("<p><!-- [ASSET: m4] --> z</p>", "<div class='article_image'></div><p> z</p>"),
            ("<p>y<!-- [ASSET: m4] --></p>", "<p>y<div class='article_image'></div></p>"),
        ]
    )
    func corrected(body: String, expected: String) {
        #expect(BodyRenderer().html(body, assets: assets, files: files) == expected)
    }

    @Test("finds each placeholder, whatever is around it")
    func legacyDefects() {
        let map = "<div class='article_image'></div>"
        let cases = [
            // Two on one line, which a greedy pattern takes for one.
            ("<!-- [ASSET: m4] -->between<!-- [ASSET: m4] -->", "\(map)between\(map)"),
            ("<!-- [asset: m4] -->", map),
            ("🙂\r\ne\u{301}\r\n<!-- [ASSET: m4] -->\r\n", "🙂\r\ne\u{301}\r\n\(map)\r\n"),
            ("<p><!-- [ASSET: m4] -->a</p><p><!-- [ASSET: m4] -->b</p>", "\(map)<p>a</p>\(map)<p>b</p>"),
            (
                "<!-- [ASSET: m 4] --><!-- [ASSET: ] --><!-- [ASSET: m4",
                "<!-- [ASSET: m 4] --><!-- [ASSET: ] --><!-- [ASSET: m4"
            ),
            ("<!-- [ASSET: <!-- [ASSET: m4] -->", "<!-- [ASSET: \(map)"),
        ]
        for (body, expected) in cases {
            #expect(BodyRenderer().html(body, assets: assets) == expected)
        }
    }

    @Test("an id counts as it is written")
    func caseOfIDs() {
        #expect(BodyRenderer().html("a<!-- [ASSET: M4] -->b", assets: assets) == "ab")
    }

    @Test("escapes captions and addresses (defect 28)")
    func escapes() {
        let hostile = Asset(id: "h", caption: "<b>A</b> & <script>x</script>'", source: "a < b", kind: .image)
        let html = BodyRenderer(source: { _, _ in URL(string: "https://e.org/a'onerror='x") })
            .html("<!-- [ASSET: h] -->", assets: [hostile])
        #expect(!html.contains("<b>") && !html.contains("script"))
        #expect(html.contains("<span class='source'>a &lt; b</span><span class='caption'>A &amp; &#39;</span>"))
        #expect(!html.contains("a'onerror"))
        let kept = BodyRenderer(captions: .sanitizedHTML).html("<!-- [ASSET: h] -->", assets: [hostile])
        #expect(kept.contains("<span class='caption'><b>A</b> & '</span>"))
        #expect(BodyRenderer(captions: .html).html("<!-- [ASSET: h] -->", assets: [hostile]).contains("<script>x"))
        let named = BodyRenderer(alternativeText: "It's", source: { _, _ in URL(string: "x:y") })
        #expect(named.html("<!-- [ASSET: h] -->", assets: [hostile]).contains("alt='It&#39;s'"))
    }

    @Test("takes patterns of the app's own, with the id as their group")
    func patterns() throws {
        let pattern = try BodyPattern(#"\{\{asset ([^}\s]+)\}\}"#)
        let renderer = BodyRenderer(pattern: pattern)
        #expect(renderer.assetIDs(in: "{{asset m4}}{{asset x}}{{asset m4}}") == ["m4", "x"])
        #expect(renderer.html("a{{asset m4}}b{{asset x}}c", assets: assets) == "a<div class='article_image'></div>bc")
        #expect(throws: BodyPatternError.invalid) { try BodyPattern("(") }
        #expect(throws: BodyPatternError.groups) { try BodyPattern("a") }
        #expect(throws: BodyPatternError.groups) { try BodyPattern("(a)(b)") }
    }

    @Test(
        "lets only harmless elements through when it is told to",
        arguments: [
            ("<p onclick='x'>a</p>", "<p>a</p>"), ("<script>x</script>a", "a"),
            ("<a href='javascript:x'>a</a>", "<a>a</a>"),
            ("<a href=\"java\nscript:x\">a</a>", "<a>a</a>"), ("<a href='&#106;avascript:x'>a</a>", "<a>a</a>"),
            ("<a href='https://e.org/?a=1&amp;b=2'>a</a>", "<a href=\"https://e.org/?a=1&amp;b=2\">a</a>"),
            ("<a href=/rel:x>a</a>", "<a href=\"/rel:x\">a</a>"), ("<img src=x onerror=y>", "<img src=\"x\">"),
            ("<iframe src=x>y</iframe>z", "z"), ("<svg><script>x</script></svg>z", "z"), ("<custom>a</custom>", "a"),
            ("<!-- c -->a", "a"), ("a < b & c &amp; d", "a &lt; b & c &amp; d"), ("<p style='x'>a", "<p>a"),
            ("<a href='x", "<a href=\"x\">"), ("<P CLASS=\"a'b\">x</P>", "<p class=\"a&#39;b\">x</p>"),
            ("<form action=x><input name=y>z</form>", "z"), ("<<script>x</script>", "&lt;"),
            ("<a src=x data-y=z>a</a>", "<a>a</a>"),
            ("<p><!-- [ASSET: m4] -->b</p>", "<div class='article_image'></div><p>b</p>"),
            ("<p title='<!-- [ASSET: m4] -->'>b</p>", "<p title=\"&lt;!-- [ASSET: m4] --&gt;\">b</p>"),
        ]
    )
    func sanitizes(html: String, expected: String) {
        #expect(BodyRenderer(sanitizesHTML: true).html(html, assets: assets) == expected)
    }

    @Test("takes assets and files from the library, and sources from the app")
    func library() async throws {
        let folder = try LibraryFolder()
        let library = try await folder.open()
        let article = Article(id: "a", title: "T", body: "<!-- [ASSET: m1] --><!-- [ASSET: m9] --><!-- [ASSET: m2] -->")
        try await library.apply { [assets] in
            $0.save(assets)
            $0.save(article)
        }
        try await library.take(folder.makeFile("a.jpg"), for: "m1")
        let file = try #require(try await library.file(of: "m1"))
        let html = try await library.html(of: article)
        #expect(html.contains("<img src='\(file.absoluteString)'"))
        #expect(html.hasSuffix("<div class='article_image'></div>"))
        let served = try await library.html(
            of: article,
            BodyRenderer { asset, file in
                file == nil ? nil : URL(string: "reader://\(asset.id)")
            }
        )
        #expect(served.contains("src='reader://m1'"))
        #expect(try await library.html(of: Article(id: "b")) == "")
    }
}
