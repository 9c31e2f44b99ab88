#if Brotli
import FoundationEssentials
import MastheadTransport
import Testing

/// What is particular to brotli.
struct BrotliTests {
    private func decode(_ coded: [UInt8], limit: Int = 100) throws -> Data {
        try ContentDecoder.decode(Data(coded), coded: [.brotli], limit: limit)
    }

    @Test("decodes bytes that RFC 7932 explains, and the shortest body there is")
    func decodesKnownBytes() throws {
        // A window of 64 KiB, one block of three bytes as they are, and an empty last one.
        #expect(try decode([0x20, 0x00, 0x10, 0x61, 0x62, 0x63, 0x03]) == Data("abc".utf8))
        #expect(try decode([0x06]).isEmpty)
    }

    @Test("joins no second stream")
    func refusesSecondStream() throws {
        let coded = try CodedForm.brotli.encode(Data("low water".utf8))
        #expect(throws: TransportError.corruptBody("bytes after its end")) { try decode(Array(coded + coded)) }
        #expect(throws: TransportError.corruptBody("bytes after its end")) { try decode(Array(coded + [0])) }
    }

    @Test("refuses a window beyond the format's")
    func refusesLargeWindow() {
        // The bits 0010001 are reserved in RFC 7932, and say "large window" elsewhere.
        #expect(throws: TransportError.self) { try decode([0x11, 0x1E, 0x06]) }
    }
}
#endif
