#if Zstandard
import CMastheadZstd

/// zstd (RFC 8878) being undone by libzstd: any number of frames, and frames to skip.
final class ZstandardStream: CodedStream {
    /// No honest coding of a body needs a window of more than 8 MiB (RFC 9659), and none gets it.
    private static let maximumWindow = 23

    private let context: OpaquePointer
    private(set) var isWhole = true

    init() throws(TransportError) {
        guard let context = ZSTD_createDCtx() else { throw .setup("ZSTD_createDCtx") }
        self.context = context
        let result = ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Int32(Self.maximumWindow))
        guard ZSTD_isError(result) == 0 else { throw .setup("ZSTD_d_windowLogMax") }
    }

    deinit {
        ZSTD_freeDCtx(context)
    }

    func step(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(TransportError) -> (read: Int, written: Int) {
        if isWhole {
            guard let first = input.first else { return (0, 0) }
            // The first byte of a frame's magic number, or of a frame to skip. The library may know older formats too,
            // which heed no limit of the window.
            guard first == 0x28 || first & 0xF0 == 0x50 else { throw .corruptBody("labelled zstd, but it is not") }
        }
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let result = ZSTD_decompressStream(context, &target, &source)
        guard ZSTD_isError(result) == 0 else {
            throw .corruptBody("damaged: \(String(cString: ZSTD_getErrorName(result)))")
        }
        isWhole = result == 0
        return (source.pos, target.pos)
    }
}
#endif
