import FoundationEssentials
import MastheadTransport
import Testing

/// What is particular to gzip and deflate.
struct InflateTests {
    private let text = Data("low water, high water".utf8)
    private var member: Data { Gzip.member(Array(text)) }

    private func decode(_ coded: Data, as coding: ContentCoding = .gzip) throws -> Data {
        try ContentDecoder.decode(coded, coded: [coding], limit: 1000)
    }

    @Test("joins the members of one gzip body")
    func joinsMembers() throws {
        #expect(try decode(member) == text)
        #expect(try decode(member + member + member) == text + text + text)
        #expect(throws: TransportError.self) { try decode(member + member.dropLast()) }
    }

    @Test("takes zero bytes after the last member for padding, and nothing else after them")
    func ignoresPadding() throws {
        #expect(try decode(member + Data(count: 512)) == text)
        #expect(throws: TransportError.corruptBody("bytes after its end")) {
            try decode(member + Data(count: 512) + member)
        }
        #expect(throws: TransportError.self) { try decode(Data(count: 512)) }
    }

    @Test("refuses a gzip body with any byte of its trailer changed")
    func refusesDamage() {
        for offset in (member.count - 8)..<member.count {
            var damaged = member
            damaged[offset] ^= 1
            let error = #expect(throws: TransportError.self, "changed at \(offset)") { try decode(damaged) }
            let isOfSum = offset < member.count - 4
            #expect(error == .corruptBody("damaged: incorrect \(isOfSum ? "data" : "length") check"))
        }
    }

    @Test("tells a plain body that is labelled gzip")
    func tellsMislabelled() {
        #expect(throws: TransportError.corruptBody("labelled gzip, but it is not")) { try decode(text) }
    }

    @Test("reads a gzip member with every optional part of its head")
    func readsHeads() throws {
        let head: [UInt8] = [0x1F, 0x8B, 8, 0b1_1100, 1, 2, 3, 4, 2, 3, 3, 0] + Array("abcname\0comment\0".utf8)
        #expect(try decode(Data(head) + member.dropFirst(10)) == text)
    }

    @Test("undoes deflate with and without the zlib header")
    func undoesDeflate() throws {
        let bare: [UInt8] = [1, 2, 0, 0xFD, 0xFF] + Array("hi".utf8)
        #expect(try decode(Data(bare), as: .deflate) == Data("hi".utf8))
        let zlib: [UInt8] = [0x78, 0x01] + bare + [0x01, 0x3B, 0x00, 0xD2]
        #expect(try decode(Data(zlib), as: .deflate) == Data("hi".utf8))
    }
}
