import CMastheadZlib

/// gzip (RFC 1952) and deflate (RFC 1950 and 1951) being undone by zlib, which checks their sums and lengths.
final class InflateStream: CodedStream {
    enum Format {
        case gzip
        case deflate
    }

    private enum Place {
        case start
        case member
        /// After a member: what follows is another, or zero bytes for padding.
        case end
        case padding
    }

    private let format: Format
    // zlib keeps a pointer back to the stream: it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var place = Place.start

    init(_ format: Format) throws(TransportError) {
        self.format = format
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let windowBits: Int32 = format == .gzip ? 15 + 16 : 15
        guard masthead_zlib_inflate_init(stream, windowBits) == Z_OK else { throw .setup("inflateInit2") }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    var isWhole: Bool { place == .end || place == .padding }

    func step(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(TransportError) -> (read: Int, written: Int) {
        if place != .member {
            guard let first = input.first else { return (0, 0) }
            if place != .start, first == 0 {
                place = .padding
                return (input.prefix { $0 == 0 }.count, 0)
            }
            try begin(with: first)
        }
        return try inflate(input, into: output)
    }

    /// Begins a member.
    private func begin(with first: UInt8) throws(TransportError) {
        switch (place, format) {
        case (.start, .gzip):
            guard first == 0x1F else { throw .corruptBody("labelled gzip, but it is not") }
        case (.start, .deflate):
            // "deflate" means the zlib format, but some servers send it bare (RFC 9110, section 8.4.1.2). No first byte is
            // both, unless bits that are for padding were set.
            if first & 0x8F != 8, inflateReset2(stream, -15) != Z_OK { throw .setup("inflateReset2") }
        case (.end, .gzip):
            guard first == 0x1F, inflateReset(stream) == Z_OK else { throw .corruptBody("bytes after its end") }
        default:
            throw .corruptBody("bytes after its end")
        }
        place = .member
    }

    private func inflate(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) throws(TransportError) -> (read: Int, written: Int) {
        // zlib counts in 32 bits: what is bigger goes in pieces.
        let available = min(input.count, 1 << 30)
        let room = min(output.count, 1 << 30)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress?.assumingMemoryBound(to: Bytef.self))
        stream.pointee.avail_in = uInt(available)
        stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: Bytef.self)
        stream.pointee.avail_out = uInt(room)
        switch CMastheadZlib.inflate(stream, Z_NO_FLUSH) {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: place = .end
        case Z_MEM_ERROR: throw .setup("inflate: out of memory")
        default: throw .corruptBody("damaged: \(stream.pointee.msg.map { String(cString: $0) } ?? "no \(format)")")
        }
        return (available - Int(stream.pointee.avail_in), room - Int(stream.pointee.avail_out))
    }
}
