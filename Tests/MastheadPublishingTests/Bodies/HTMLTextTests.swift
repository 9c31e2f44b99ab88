import MastheadPublishing
import Testing

struct HTMLTextTests {
    @Test(
        "decodes entities, named and numbered, and leaves everything else",
        arguments: [
            ("no entity", "no entity"), ("caf&eacute; &amp; bar", "café & bar"), ("&#233;&#xE9;&#XE9;", "ééé"),
            ("&#x1F642;", "🙂"), ("&nbsp;", "\u{A0}"), ("&apos;&quot;&lt;&gt;", "'\"<>"), ("&#150;&#x80;", "–€"),
            ("&unknown; & &; &# &#x; &#;", "&unknown; & &; &# &#x; &#;"),
            ("&#0;&#xD800;&#x110000;&#99999999999;", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("&", "&"), ("&amp", "&amp"), ("&amp;lt;", "&lt;"), ("&hellip;&Alpha;&euro;", "…Α€"), ("&#65 b", "A b"),
        ]
    )
    func entities(text: String, expected: String) {
        #expect(HTMLText.decodingEntities(in: text) == expected)
    }

    @Test(
        "takes the text of HTML",
        arguments: [
            ("<p>One</p><p>Two</p>", "One Two"), ("<b>T</b>ide", "Tide"), ("one<br>two", "one two"),
            ("a <!-- b --> c", "a c"), ("a<!-- <p> -->b", "ab"), ("<script>x < y</script>z", "z"),
            ("<style>p{}</style >z", "z"), ("<SCRIPT>x</ScRiPt>z", "z"), ("<p title='a>b'>c", "c"),
            ("a < b > c", "a < b > c"),
            ("1<2", "1<2"), ("<", "<"), ("<p", ""), ("a<p", "a"), ("<!DOCTYPE html>x", "x"), ("<?xml ?>x", "x"),
            ("<!--", ""),
            ("  a \n\t b&nbsp;c ", "a b c"), ("AT&T", "AT&T"), ("&lt;b&gt;", "<b>"), ("<headers>x</headers>", "x"),
            ("<head><title>t</title></header></head>x", "x"), ("", ""), ("<a href=x>y</a>", "y"),
            ("<img alt=\"a\"", ""),
            ("x</p>", "x"), ("é<i>é</i>", "éé"), (" ", ""), (" a", "a"), ("a ", "a"), ("a  b", "a b"), ("a b", "a b"),
            ("a<verylongname>b", "a b"), ("a<STRONG>b</Strong>", "ab"), ("&thetasym;&Theta;&theta;", "ϑΘθ"),
            ("&verylongname;", "&verylongname;"), ("a <b>b</b> c", "a b c"), ("a<b> b", "a b"),
            ("a &amp;&amp; b", "a && b"),
            ("<template>a</template>b<noscript>c</noscript>", "b"),
        ]
    )
    func plain(html: String, expected: String) {
        #expect(HTMLText.plain(html) == expected)
    }

    /// A piece of HTML, and what it says: nothing for what parts words.
    private static let pieces: [(html: String, text: String?)] = [
        ("harbour", "harbour"), ("é", "é"), ("1", "1"), ("&eacute;", "é"), ("&amp;", "&"), ("&#39;", "'"), ("🙂", "🙂"),
        ("<b>", ""), ("</b>", ""), ("<EM class=\"x y\">", ""), ("<!-- a <p> -->", ""), ("<p>", nil), ("</p>", nil),
        ("<br/>", nil), ("<div title='>'>", nil), (" ", nil), ("  ", nil), ("\n", nil), ("\t ", nil), ("&nbsp;", nil),
        ("<script>let x = 1 < 2</script>", nil), ("<unknownelement>", nil),
    ]

    @Test("says what its pieces say, however they are put together", arguments: [1, 2, 3] as [UInt64])
    func pieces(seed: UInt64) {
        var state = seed
        for count in 0..<400 {
            var (html, text, isApart) = ("", "", false)
            for _ in 0..<(count % 40) {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let piece = Self.pieces[Int(state >> 33) % Self.pieces.count]
                html += piece.html
                guard let said = piece.text else {
                    isApart = true
                    continue
                }
                if isApart, !said.isEmpty {
                    if !text.isEmpty { text += " " }
                    isApart = false
                }
                text += said
            }
            #expect(HTMLText.plain(html) == text, "\(html)")
        }
    }

    @Test("escapes what HTML would take for more than text")
    func escapes() {
        #expect(HTMLText.escaped("<a href='x' b=\"y\"> & é") == "&lt;a href=&#39;x&#39; b=&quot;y&quot;&gt; &amp; é")
    }
}
