import FoundationEssentials
import MastheadTransport
import Testing

struct ContentCodingTests {
    private let text = Data("low water, high water".utf8)
    private var member: Data { Gzip.member(Array(text)) }

    @Test("undoes gzip")
    func undoesGzip() throws {
        #expect(try ContentCoding.gzip.decode(member, limit: 1000) == text)
    }

    @Test("joins the members of one gzip body")
    func joinsMembers() throws {
        #expect(try ContentCoding.gzip.decode(member + member, limit: 1000) == text + text)
    }

    @Test("takes zero bytes after the last member for padding")
    func ignoresPadding() throws {
        #expect(try ContentCoding.gzip.decode(member + Data(count: 512), limit: 1000) == text)
    }

    @Test("refuses a gzip body cut at any byte")
    func refusesCuts() {
        for length in 2..<member.count {
            #expect(throws: TransportError.self, "cut at \(length)") {
                try ContentCoding.gzip.decode(member.prefix(length), limit: 1000)
            }
        }
    }

    @Test("refuses a gzip body with any byte of its trailer changed")
    func refusesDamage() {
        for offset in (member.count - 8)..<member.count {
            var damaged = member
            damaged[offset] ^= 1
            #expect(throws: TransportError.self, "changed at \(offset)") {
                try ContentCoding.gzip.decode(damaged, limit: 1000)
            }
        }
    }

    @Test("tells a plain body that is labelled gzip")
    func tellsMislabelled() {
        #expect(throws: TransportError.corruptBody("labelled gzip, but it is not")) {
            try ContentCoding.gzip.decode(text, limit: 1000)
        }
    }

    @Test("stops a bomb at the limit")
    func stopsBombs() {
        let member = Gzip.zeros(runs: 200)
        let bomb = Data((0..<64).map { _ in member }.joined())
        #expect(throws: TransportError.bodyTooLarge(limit: 1_000_000)) {
            try ContentCoding.gzip.decode(bomb, limit: 1_000_000)
        }
    }

    @Test("passes a body of exactly the limit")
    func passesTheLimit() throws {
        let size = 1 + 200 * 258
        #expect(try ContentCoding.gzip.decode(Gzip.zeros(runs: 200), limit: size).count == size)
        #expect(throws: TransportError.bodyTooLarge(limit: size - 1)) {
            try ContentCoding.gzip.decode(Gzip.zeros(runs: 200), limit: size - 1)
        }
    }

    @Test("undoes deflate with and without the zlib header")
    func undoesDeflate() throws {
        let bare: [UInt8] = [1, 2, 0, 0xFD, 0xFF] + Array("hi".utf8)
        #expect(try ContentCoding.deflate.decode(Data(bare), limit: 10) == Data("hi".utf8))
        let zlib: [UInt8] = [0x78, 0x01] + bare + [0x01, 0x3B, 0x00, 0xD2]
        #expect(try ContentCoding.deflate.decode(Data(zlib), limit: 10) == Data("hi".utf8))
    }

    @Test(
        "reads the list of codings",
        arguments: [
            ("gzip", [ContentCoding.gzip]), ("X-GZIP", [.gzip]), ("identity", []), ("", []),
            ("deflate, gzip", [.deflate, .gzip]),
        ]
    )
    func readsList(field: String, expected: [ContentCoding]) throws {
        #expect(try ContentCoding.list(in: field) == expected)
    }

    @Test(
        "refuses a coding it did not ask for, and a stack of them",
        arguments: ["br", "gzip, br", "gzip,gzip,gzip,gzip,gzip"]
    )
    func refusesOthers(field: String) {
        #expect(throws: TransportError.self) { try ContentCoding.list(in: field) }
    }
}
