import CMastheadZlib
package import FoundationEssentials

/// Codes a request's body as gzip (RFC 1952).
package enum GzipEncoder {
    /// Codes bytes as one member, without a name or a time, so that equal bytes give equal members.
    ///
    /// It takes more than half a second for 50 MB of JSON: not for an actor that others wait for.
    package static func encode(_ data: Data) throws(TransportError) -> Data {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard masthead_zlib_deflate_init(stream, Z_DEFAULT_COMPRESSION, 15 + 16) == Z_OK else {
            throw .setup("deflateInit2")
        }
        defer { deflateEnd(stream) }
        return try data.bytes.withUnsafeBytes { (bytes) throws(TransportError) in
            try deflate(bytes, with: stream)
        }
    }

    private static func deflate(
        _ bytes: UnsafeRawBufferPointer,
        with stream: UnsafeMutablePointer<z_stream>
    ) throws(TransportError) -> Data {
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: ContentDecoder.pieceSize, alignment: 16)
        defer { piece.deallocate() }
        var coded = BodyBuffer()
        var offset = 0
        var result = Z_OK
        while result != Z_STREAM_END {
            // zlib counts in 32 bits: what is bigger goes in pieces.
            let available = min(bytes.count - offset, 1 << 30)
            let input = bytes.baseAddress?.advanced(by: offset).assumingMemoryBound(to: Bytef.self)
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input)
            stream.pointee.avail_in = uInt(available)
            stream.pointee.next_out = piece.baseAddress?.assumingMemoryBound(to: Bytef.self)
            stream.pointee.avail_out = uInt(piece.count)
            let isLast = offset + available == bytes.count
            result = CMastheadZlib.deflate(stream, isLast ? Z_FINISH : Z_NO_FLUSH)
            offset += available - Int(stream.pointee.avail_in)
            let count = piece.count - Int(stream.pointee.avail_out)
            guard result != Z_STREAM_ERROR, let base = piece.baseAddress,
                coded.append(base, count: count, expected: bytes.count / 4, limit: .max)
            else { throw .setup("deflate") }
        }
        return coded.takeData()
    }
}
