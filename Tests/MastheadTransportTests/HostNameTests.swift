import Glibc
import MastheadTransport
import Testing

@Suite("A host's name")
struct HostNameTests {
    @Test(
        "is put into ASCII, one form for all its spellings",
        arguments: [
            ("bücher.example", "xn--bcher-kva.example"), ("BÜCHER.EXAMPLE", "xn--bcher-kva.example"),
            ("bu\u{308}cher.example", "xn--bcher-kva.example"), ("XN--Bcher-KVA.example", "xn--bcher-kva.example"),
            ("faß.example", "xn--fa-hia.example"), ("☃.example", "xn--n3h.example"),
            ("例え。テスト", "xn--r8jz45g.xn--zckzah"), ("１２７.0.0.1", "127.0.0.1"), ("a.example.", "a.example."),
        ]
    )
    func isPutIntoASCII(name: String, expected: String) {
        #expect(HostName.ascii(of: name) == expected)
    }

    @Test(
        "is refused where it is none, or would be another part of a URL",
        arguments: [
            "", ".", "ü..example", "-ü.example", "ü／b", "ü＠b", "ü：80", "ü？b", "ü b", "ü\0b", "\u{200D}.example",
            "\u{301}a.example", "xn--ü.example", String(repeating: "ü", count: 64) + ".example", "ü%2e.example",
        ]
    )
    func isRefused(name: String) {
        #expect(HostName.ascii(of: name) == nil)
    }

    @Test("does not depend on the character set of the process, and leaves it as it was")
    func keepsLocale() throws {
        let latin = try #require(newlocale(LC_CTYPE_MASK, "C", nil))
        let before = uselocale(latin)
        defer {
            uselocale(before)
            freelocale(latin)
        }
        #expect(HostName.ascii(of: "bücher.example") == "xn--bcher-kva.example")
        #expect(uselocale(nil) == latin)
    }
}
