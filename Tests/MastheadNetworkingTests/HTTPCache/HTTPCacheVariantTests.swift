import MastheadNetworking
import Testing

@Suite("RFC 9111, section 4.1: Vary")
struct HTTPCacheVariantTests {
    private func matches(_ vary: HTTPHeaders, _ stored: HTTPHeaders, _ asked: HTTPHeaders) throws -> Bool {
        let key = try #require(VariantKey(answer: vary, request: stored))
        let other = try #require(VariantKey(answer: vary, request: asked))
        #expect((key == other) == key.matches(asked))
        return key.matches(asked)
    }

    @Test(
        "takes for the same what means the same",
        arguments: [
            ("X", ["X": "a"], ["x": "a"]), ("X", ["X": " a\t"], ["X": "a"]),
            ("X", ["X": "a", "x": "b"], ["X": "a, b"]),
            ("X", [:], [:]), ("X", ["Y": "1"], ["Y": "2"]), ("", ["X": "1"], ["X": "2"]),
            ("Accept", ["Accept": "text/html;q=0.5,a/b"], ["Accept": "text/html ; q=0.5 , a/b"]),
            ("Accept", ["Accept": "a/b", "accept": "c/d"], ["Accept": "a/b,,c/d,"]),
            ("Accept-Encoding", ["Accept-Encoding": "gzip, BR;q=0.5"], ["Accept-Encoding": "br; q=0.5,gzip"]),
            ("Accept-Language", ["Accept-Language": "de-CH, en;q=0.5"], ["Accept-Language": "de-ch,en; q=0.5"]),
            ("Accept-Charset", ["Accept-Charset": "utf-8, latin1"], ["Accept-Charset": "latin1,UTF-8"]),
        ] as [(String, HTTPHeaders, HTTPHeaders)]
    )
    func takesTheSame(vary: String, stored: HTTPHeaders, asked: HTTPHeaders) throws {
        #expect(try matches(["Vary": vary], stored, asked))
    }

    @Test(
        "keeps apart what may mean something else",
        arguments: [
            ("X", ["X": "a"], ["X": "b"]), ("X", ["X": "a"], ["X": "A"]), ("X", ["X": ""], [:]), ("X", [:], ["X": ""]),
            ("X", ["X": "a,b"], ["X": "a, b"]), ("X", ["X": "a, b"], ["X": "b, a"]), ("X", ["X": "a b"], ["X": "a  b"]),
            ("X, Y", ["X": "a", "Y": "b"], ["X": "b", "Y": "a"]), ("X, Y", ["X": "a"], ["Y": "a"]),
            ("X, Y", ["X": "a\ny:1:b"], ["X": "a", "Y": "b"]), ("Y", ["X": "1"], ["Y": "1"]),
            ("Accept", ["Accept": "a/b;p=\"A, b\""], ["Accept": "a/b;p=\"A,b\""]),
            ("Accept", ["Accept": "a/b;p=\"\\\", b\""], ["Accept": "a/b;p=\"\\\",b\""]),
            ("Accept", ["Accept": "a/b;p=A"], ["Accept": "a/b;p=a"]),
            ("Accept", ["Accept": "a/b,c/d"], ["Accept": "c/d,a/b"]),
            ("Accept-Language", ["Accept-Language": "de, en"], ["Accept-Language": "en, de"]),
            ("X", ["X": "é"], ["X": "e\u{301}"]),
        ] as [(String, HTTPHeaders, HTTPHeaders)]
    )
    func keepsApart(vary: String, stored: HTTPHeaders, asked: HTTPHeaders) throws {
        #expect(try !matches(["Vary": vary], stored, asked))
    }

    @Test("reads the names in any case and order, from several lines, each once")
    func readsNames() throws {
        let key = try #require(VariantKey(answer: ["Vary": "b, ,A", "vary": "B,"], request: ["B": "1"]))
        #expect(key.names == ["a", "b"])
        #expect(key == VariantKey(answer: ["Vary": "A,B"], request: ["b": "1"]))
        #expect(VariantKey(answer: ["Vary": "A", "vary": "*"], request: [:]) == nil)
    }

    @Test("selects the answer for such a request, and of several the most recent by its Date")
    func selects() throws {
        func variant(_ language: String, _ date: String, after seconds: Double = 0) throws -> StoredAnswer {
            try storedAnswer(
                ["Vary": "Accept-Language", "Date": date, "Cache-Control": "max-age=9999999"],
                after: seconds,
                request: cacheRequest(["Accept-Language": language])
            )
        }
        let german = try variant("de", "Sun, 06 Nov 1994 08:49:30 GMT")
        let english = try variant("en", "Sun, 06 Nov 1994 08:49:37 GMT")
        let newer = try variant("de", "Sun, 06 Nov 1994 08:49:35 GMT", after: -1)
        func selected(_ candidates: [StoredAnswer], _ headers: HTTPHeaders) -> Int? {
            cacheExchange(candidates, headers).selected
        }

        #expect(selected([german, english, newer], ["Accept-Language": "de"]) == 2)
        #expect(selected([newer, english, german], ["Accept-Language": "de"]) == 0)
        #expect(selected([german, english, newer], ["Accept-Language": "EN"]) == 1)
        #expect(selected([german, english], ["Accept-Language": "fr"]) == nil)
        #expect(selected([german, english], [:]) == nil)
        #expect(cacheExchange([german, english], ["Accept-Language": "fr"]).decision(at: cacheArrival) == .fetch)
        // A date later than its cacheArrival is no reason to be preferred for ever.
        let fromTomorrow = try variant("de", "Mon, 07 Nov 1994 08:49:37 GMT", after: -5)
        #expect(selected([fromTomorrow, try variant("de", cacheArrivalField)], ["Accept-Language": "de"]) == 1)
        // The same second: the one that came last.
        let (last, first) = (try variant("de", cacheArrivalField, after: 1), try variant("de", cacheArrivalField))
        #expect(selected([last, first], ["Accept-Language": "de"]) == 0)
        #expect(selected([first, last], ["Accept-Language": "de"]) == 1)
    }

    @Test("selects nothing stored under another key")
    func selectsByKey() throws {
        let other = try storedAnswer(
            ["Cache-Control": "max-age=60"],
            request: cacheRequest(url: "https://api.example.com/other")
        )
        #expect(cacheExchange([other]).selected == nil)
    }
}
