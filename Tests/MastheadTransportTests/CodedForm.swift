import FoundationEssentials
import MastheadTransport
import Testing

#if Brotli
import CBrotliEncoder
#endif
#if Zstandard
import CMastheadZstd
#endif

/// A way to code a body, and who makes it for the tests.
struct CodedForm: Sendable, CustomTestStringConvertible {
    /// What stands in `Content-Encoding`.
    let label: String
    let testDescription: String
    let coding: ContentCoding
    /// Whether the coded form ends with a sum over what it stands for.
    let hasSum: Bool
    let encode: @Sendable (Data) throws -> Data

    private init(
        _ label: String,
        _ description: String,
        _ coding: ContentCoding,
        hasSum: Bool,
        encode: @escaping @Sendable (Data) throws -> Data
    ) {
        self.label = label
        self.testDescription = description
        self.coding = coding
        self.hasSum = hasSum
        self.encode = encode
    }

    /// All that this build undoes.
    static let all: [CodedForm] = {
        var forms = [gzip, deflate, bareDeflate]
        #if Brotli
        forms.append(brotli)
        #endif
        #if Zstandard
        forms.append(zstandard)
        #endif
        return forms
    }()

    static let gzip = CodedForm("gzip", "gzip", .gzip, hasSum: true, encode: GzipEncoder.encode)

    static let deflate = CodedForm("deflate", "deflate", .deflate, hasSum: true) { data in
        let sum = data.reduce(into: (1, 0)) { sum, byte in
            sum.0 = (sum.0 + Int(byte)) % 65_521
            sum.1 = (sum.1 + sum.0) % 65_521
        }
        let trailer = [sum.1 >> 8, sum.1, sum.0 >> 8, sum.0].map { UInt8(truncatingIfNeeded: $0) }
        return try Data([0x78, 0x9C]) + bare(data) + trailer
    }

    static let bareDeflate = CodedForm("deflate", "bare deflate", .deflate, hasSum: false, encode: bare)

    /// What stands between the head and the trailer of a gzip member.
    @Sendable
    private static func bare(_ data: Data) throws -> Data {
        try GzipEncoder.encode(data).dropFirst(10).dropLast(8)
    }

    #if Brotli
    static let brotli = CodedForm("br", "brotli", .brotli, hasSum: false) { data in
        var size = BrotliEncoderMaxCompressedSize(data.count) + 16
        var coded = [UInt8](repeating: 0, count: size)
        let isDone = data.withUnsafeBytes { bytes in
            let input = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
            return BrotliEncoderCompress(5, 22, BROTLI_MODE_GENERIC, data.count, input, &size, &coded)
        }
        try #require(isDone != 0)
        return Data(coded[..<size])
    }
    #endif

    #if Zstandard
    static let zstandard = CodedForm("zstd", "zstd", .zstandard, hasSum: true) { data in
        let context = try #require(ZSTD_createCCtx())
        defer { ZSTD_freeCCtx(context) }
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
        var coded = [UInt8](repeating: 0, count: ZSTD_compressBound(data.count))
        let size = data.withUnsafeBytes { ZSTD_compress2(context, &coded, coded.count, $0.baseAddress, $0.count) }
        try #require(ZSTD_isError(size) == 0)
        return Data(coded[..<size])
    }
    #endif
}

extension Data {
    /// Lines of JSON that shrink to about a thirtieth.
    static func honestJSON(byteCount: Int) -> Data {
        var text = "["
        var number = 0
        while text.utf8.count < byteCount {
            number += 1
            text += #"{"id": "vol-\#(number)", "title": "Low water", "tags": ["sea", "ports", "harbours", "tides"], "#
            text += #""cover": {"url": "https://magazine.example.com/covers/large.jpg", "width": 1200}},"#
            text += "\n"
        }
        return Data((text + "null]").utf8)
    }
}
