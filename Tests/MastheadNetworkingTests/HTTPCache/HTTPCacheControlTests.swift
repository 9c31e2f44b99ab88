import MastheadNetworking
import Testing

@Suite("RFC 9111, section 5.2: Cache-Control")
struct HTTPCacheControlTests {
    @Test(
        "reads an answer's max-age, and takes what is no number for 0",
        arguments: [
            ("max-age=60", 60), ("MAX-Age=60", 60), ("max-age=\"60\"", 60), ("max-age=\"6\\0\"", 60),
            ("max-age=0060", 60),
            (" \tpublic ,max-age=60\t", 60), (",,max-age=60,", 60), ("foo=\"a,b\", max-age=60", 60), ("max-age=0", 0),
            ("max-age=soon", 0), ("max-age=60s", 0), ("max-age=-60", 0), ("max-age=+60", 0), ("max-age=60.0", 0),
            ("max-age", 0), ("max-age=", 0), ("max-age=\"\"", 0), ("max-age='60'", 0), ("max-age= 60", 0),
            ("max-age =60", 0), ("max-age=\"60", 0), ("max-age=\"60\"1", 0), ("max-age=\"6\"0\"", 0), ("max-age=٦٠", 0),
            ("max-age=2147483647", 2_147_483_647), ("max-age=2147483648", 2_147_483_648),
            ("max-age=99999999999", 2_147_483_648), ("max-age=99999999999999999999999", 2_147_483_648),
            ("", nil), ("public", nil), ("s-maxage=60", nil), ("x-max-age=60", nil), ("ext=\"max-age=60\"", nil),
            ("ext=\"\\\", max-age=60, \"", nil),
        ] as [(String, Int?)]
    )
    func readsMaxAge(field: String, expected: Int?) {
        #expect(CacheControl(response: ["Cache-Control": field]).maxAge == expected)
    }

    @Test(
        "takes the strictest of several, in one line or in two",
        arguments: [
            ("max-age=60", "max-age=5"), ("max-age=5", "max-age=60"), ("max-age=60, max-age=5", "public"),
            ("max-age=5", "max-age=\"60\""),
        ]
    )
    func takesStrictestMaxAge(first: String, second: String) {
        for field in ["\(first), \(second)", "\(second), \(first)"] {
            #expect(CacheControl(response: ["Cache-Control": field]).maxAge == 5)
        }
        #expect(CacheControl(response: ["Cache-Control": first, "cache-control": second]).maxAge == 5)
        #expect(CacheControl(response: ["Cache-Control": second, "X": "a", "CACHE-CONTROL": first]).maxAge == 5)
    }

    @Test("an invalid max-age beside a valid one is stale")
    func invalidBesideValid() {
        #expect(CacheControl(response: ["Cache-Control": "max-age=60, max-age=x"]).maxAge == 0)
    }

    @Test(
        "reads the other numbers, each in its strictest way",
        arguments: [
            ("min-fresh=5, min-fresh=60", \.minFresh, 60), ("min-fresh=x", \.minFresh, CacheControl.maximumSeconds),
            ("min-fresh", \.minFresh, CacheControl.maximumSeconds), ("max-stale=5, max-stale=60", \.maxStale, 5),
            ("max-stale=60, max-stale=5", \.maxStale, 5), ("max-stale", \.maxStale, CacheControl.maximumSeconds),
            ("max-stale, max-stale=5", \.maxStale, 5), ("max-stale=x", \.maxStale, 0), ("max-stale=", \.maxStale, 0),
            ("stale-while-revalidate=5, stale-while-revalidate=60", \.staleWhileRevalidate, 5),
            ("stale-while-revalidate=60, stale-while-revalidate=5", \.staleWhileRevalidate, 5),
            ("stale-while-revalidate", \.staleWhileRevalidate, 0),
            ("stale-if-error=60, stale-if-error=5", \.staleIfError, 5),
            ("stale-if-error=5, stale-if-error=60", \.staleIfError, 5), ("stale-if-error=x", \.staleIfError, 0),
            ("public", \.minFresh, nil), ("public", \.maxStale, nil), ("public", \.staleWhileRevalidate, nil),
            ("public", \.staleIfError, nil),
        ] as [(String, any KeyPath<CacheControl, Int?> & Sendable, Int?)]
    )
    func readsNumbers(field: String, number: any KeyPath<CacheControl, Int?> & Sendable, expected: Int?) {
        #expect(CacheControl(response: ["Cache-Control": field])[keyPath: number] == expected)
    }

    @Test(
        "reads what is said without a number, whatever stands behind it",
        arguments: [
            ("no-store", \.noStore), ("no-cache", \.noCache), ("must-revalidate", \.mustRevalidate),
            ("must-understand", \.mustUnderstand), ("public", \.isPublic), ("private", \.isPrivate),
            ("immutable", \.isImmutable), ("only-if-cached", \.onlyIfCached),
        ] as [(String, any KeyPath<CacheControl, Bool> & Sendable)]
    )
    func readsFlags(name: String, flag: any KeyPath<CacheControl, Bool> & Sendable) {
        let fields = [
            name, name.uppercased(), "max-age=1,\(name)", "a=\"b\" , \(name) ", "\(name)=", "\(name)=\"", "\(name) = 1",
        ]
        for field in fields {
            #expect(CacheControl(response: ["Cache-Control": field])[keyPath: flag], "\(field)")
        }
        for field in ["", "x-\(name)", "\(name)x", "x=\"\(name)\"", "x=\", \(name)\"", "x=\(name)"] {
            #expect(!CacheControl(response: ["Cache-Control": field])[keyPath: flag], "\(field)")
        }
    }

    @Test(
        "reads the fields of no-cache, and takes what is no list of names for all",
        arguments: [
            ("no-cache=\"Set-Cookie\"", ["set-cookie"], false), ("no-cache=X-User", ["x-user"], false),
            ("no-cache=\"a, B\"", ["a", "b"], false), ("no-cache=\"a\", no-cache=\"b\"", ["a", "b"], false),
            ("no-cache", [], true), ("no-cache=\"\"", [], true), ("no-cache=\"a b\"", [], true),
            ("no-cache=\"a,,\"", ["a"], false), ("no-cache=\"a, \"", [], true), ("no-cache=\"a", [], true),
            ("no-cache=\"a\", no-cache", ["a"], true),
        ] as [(String, Set<String>, Bool)]
    )
    func readsNoCacheFields(field: String, names: Set<String>, isAll: Bool) {
        let control = CacheControl(response: ["Cache-Control": field])
        #expect(control.noCacheFields == names)
        #expect(control.noCache == isAll)
        #expect(CacheControl(request: ["Cache-Control": field]).noCache)
    }

    @Test("a quote that is never closed hides no directive, and forbids what it may have meant to")
    func brokenQuotes() {
        let control = CacheControl(response: ["Cache-Control": "max-age=60, ext=\"a, no-store"])
        #expect(control.noStore && control.noCache)
        #expect(!CacheControl(response: ["Cache-Control": "max-age=60, ext=\"a\""]).noCache)
    }

    @Test("what is too long to be meant forbids everything")
    func tooLong() {
        let padding = String(repeating: "x", count: 8192 - 11)
        #expect(CacheControl(response: ["Cache-Control": "max-age=60,\(padding)"]).maxAge == 60)
        let long = CacheControl(response: ["Cache-Control": "max-age=60,\(padding)x"])
        #expect(long.noStore && long.noCache && long.maxAge == nil)
        let names = (0..<33).map { "n\($0)" }
        #expect(CacheControl(response: ["Cache-Control": "no-cache=\"\(names.joined(separator: ","))\""]).noCache)
        let fewer = CacheControl(response: ["Cache-Control": "no-cache=\"\(names.dropLast().joined(separator: ","))\""])
        #expect(!fewer.noCache && fewer.noCacheFields.count == 32)
    }

    @Test(
        "Pragma: no-cache counts in a request without Cache-Control (section 5.4)",
        arguments: [
            (["Pragma": "no-cache"], true), (["pragma": "foo, No-Cache"], true), (["Pragma": "foo"], false),
            (["Pragma": "no-cache", "Cache-Control": "max-age=60"], false), (["Pragma": "no-cache=\"a\""], true),
        ] as [(HTTPHeaders, Bool)]
    )
    func readsPragma(headers: HTTPHeaders, expected: Bool) {
        #expect(CacheControl(request: headers).noCache == expected)
        #expect(!CacheControl(response: headers).noCache)
    }

    @Test("nothing else in Pragma means anything")
    func ignoresRestOfPragma() {
        #expect(CacheControl(request: ["Pragma": "no-store, max-age=0, only-if-cached"]) == CacheControl(request: [:]))
    }
}
