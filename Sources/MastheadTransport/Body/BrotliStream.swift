#if Brotli
import CMastheadBrotli

/// brotli (RFC 7932) being undone by libbrotlidec.
///
/// The format has no checksum: a changed byte may go unseen. Its window is 16 MiB at most; "large window" brotli, which
/// is another format, stays off.
final class BrotliStream: CodedStream {
    private let state: OpaquePointer
    private(set) var isWhole = false

    init() throws(TransportError) {
        guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else {
            throw .setup("BrotliDecoderCreateInstance")
        }
        self.state = state
    }

    deinit {
        BrotliDecoderDestroyInstance(state)
    }

    func step(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(TransportError) -> (read: Int, written: Int) {
        guard !isWhole else {
            guard input.isEmpty else { throw .corruptBody("bytes after its end") }
            return (0, 0)
        }
        var unread = input.count
        var next = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        var room = output.count
        var target = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
        switch BrotliDecoderDecompressStream(state, &unread, &next, &room, &target, nil) {
        case BROTLI_DECODER_RESULT_SUCCESS: isWhole = true
        case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT, BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: break
        default:
            let reason = BrotliDecoderErrorString(BrotliDecoderGetErrorCode(state)).map { String(cString: $0) }
            throw .corruptBody("damaged, or no brotli: \(reason ?? "")")
        }
        return (input.count - unread, output.count - room)
    }
}
#endif
