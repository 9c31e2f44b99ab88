#if Zstandard
import FoundationEssentials
import MastheadTransport
import Testing

/// What is particular to zstd.
struct ZstandardTests {
    private let text = Data("low water, high water".utf8)

    private func decode(_ coded: Data, limit: Int = 1000) throws -> Data {
        try ContentDecoder.decode(coded, coded: [.zstandard], limit: limit)
    }

    /// A frame of one empty block that asks for a window of so many bytes: a power of two and eighths of it.
    private func frame(exponent: UInt8, eighths: UInt8 = 0) -> Data {
        Data([0x28, 0xB5, 0x2F, 0xFD, 0x00, (exponent - 10) << 3 | eighths, 0x01, 0x00, 0x00])
    }

    @Test("joins frames, and skips what is to be skipped")
    func joinsFrames() throws {
        let frame = try CodedForm.zstandard.encode(text)
        let skipped = Data([0x5A, 0x2A, 0x4D, 0x18, 5, 0, 0, 0]) + Data("aside".utf8)
        #expect(try decode(frame + frame) == text + text)
        #expect(try decode(skipped + frame + skipped + skipped + frame + skipped) == text + text)
        #expect(try decode(skipped).isEmpty)
    }

    @Test("refuses a second frame that is cut, and a cut one to skip")
    func refusesCutFrames() throws {
        let frame = try CodedForm.zstandard.encode(text)
        let skipped = Data([0x50, 0x2A, 0x4D, 0x18, 5, 0, 0, 0]) + Data("aside".utf8)
        for count in 1..<frame.count {
            #expect(throws: TransportError.self, "\(count)") { try decode(frame + frame.prefix(count)) }
        }
        for count in 1..<skipped.count {
            #expect(throws: TransportError.self, "\(count)") { try decode(frame + skipped.prefix(count)) }
        }
    }

    @Test("gives no frame a window of more than 8 MiB")
    func boundsWindow() throws {
        #expect(try decode(frame(exponent: 23)).isEmpty)
        for tooLarge in [frame(exponent: 23, eighths: 1), frame(exponent: 24), frame(exponent: 31)] {
            let error = #expect(throws: TransportError.self) { try decode(tooLarge) }
            #expect(error == .corruptBody("damaged: Frame requires too much memory for decoding"))
        }
    }

    @Test("bounds the window too of a frame that is its own")
    func boundsSingleSegment() {
        // One segment of 16 MiB, of which nothing comes but a block that repeats a byte.
        let coded = Data([0x28, 0xB5, 0x2F, 0xFD, 0xA0, 0, 0, 0, 1, 0x02, 0x00, 0x10, 0x00])
        #expect(throws: TransportError.corruptBody("damaged: Frame requires too much memory for decoding")) {
            try decode(coded, limit: 1 << 30)
        }
    }

    @Test("knows no format from before the RFC", arguments: UInt8(0x1E)...0x27)
    func refusesOldFormats(first: UInt8) {
        #expect(throws: TransportError.corruptBody("labelled zstd, but it is not")) {
            try decode(Data([first, 0xB5, 0x2F, 0xFD, 0x00, 0x58, 0x01, 0x00, 0x00]))
        }
    }
}
#endif
