import FoundationEssentials
import MastheadTransport
import Testing

struct GzipEncoderTests {
    @Test("codes what decodes to the same", arguments: [0, 1, 65_535, 65_536, 3_000_000])
    func roundTrips(count: Int) throws {
        var state: UInt64 = 1
        let noise = Data(
            (0..<count).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return UInt8(truncatingIfNeeded: state >> 56)
            }
        )
        let coded = try GzipEncoder.encode(noise)
        #expect(coded.count <= count + count / 1000 + 64)
        #expect(try ContentDecoder.decode(coded, coded: [.gzip], limit: count) == noise)
    }

    @Test("makes a text smaller, and the same of the same")
    func compresses() throws {
        let text = Data.honestJSON(byteCount: 100_000)
        let coded = try GzipEncoder.encode(text)
        #expect(coded.count < text.count / 20)
        #expect(try GzipEncoder.encode(text) == coded)
        #expect(coded.starts(with: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0]))
    }

    @Test("codes a slice of other bytes")
    func codesSlices() throws {
        let text = Data("low water, high water".utf8)
        let coded = try GzipEncoder.encode(text[4...])
        #expect(try ContentDecoder.decode(coded, coded: [.gzip], limit: 100) == text[4...])
    }
}
