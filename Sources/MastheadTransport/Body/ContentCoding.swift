import CMastheadZlib
package import FoundationEssentials

/// Undoes the content codings of a body (RFC 9110, section 8.4), with zlib rather than libcurl's decoder, which takes a
/// gzip cut before its trailer for a whole one and fails at a second member.
package enum ContentCoding: Sendable {
    case gzip
    case deflate

    /// What is asked for when the request does not say.
    package static let accepted = "gzip, deflate"

    /// The codings a `Content-Encoding` names, in the order they were applied.
    package static func list(in field: String) throws(TransportError) -> [ContentCoding] {
        var codings: [ContentCoding] = []
        for name in field.split(separator: ",") {
            switch name.trimmingSpaces.lowercased() {
            case "gzip", "x-gzip": codings.append(.gzip)
            case "deflate": codings.append(.deflate)
            case "identity", "": break
            default: throw .corruptBody("a content coding that was not asked for")
            }
        }
        guard codings.count <= 4 else { throw .corruptBody("\(codings.count) content codings on one body") }
        return codings
    }

    /// Undoes this coding.
    ///
    /// - Throws: `corruptBody` if it is cut, damaged or not of this coding; `bodyTooLarge` as soon as more than `limit`
    ///   bytes come out.
    package func decode(_ data: Data, limit: Int) throws(TransportError) -> Data {
        switch self {
        case .gzip:
            guard data.starts(with: [0x1F, 0x8B]) else { throw .corruptBody("labelled gzip, but it is not") }
            return try Self.inflate(data, windowBits: 15 + 16, allowsMembers: true, limit: limit)
        case .deflate:
            // "deflate" means the zlib format, but some servers send it bare (RFC 9110, section 8.4.1.2).
            let isZlib =
                data.count >= 2 && data[data.startIndex] & 0x0F == 8
                && (Int(data[data.startIndex]) << 8 | Int(data[data.startIndex + 1])) % 31 == 0
            return try Self.inflate(data, windowBits: isZlib ? 15 : -15, allowsMembers: false, limit: limit)
        }
    }

    private static func inflate(
        _ data: Data,
        windowBits: Int32,
        allowsMembers: Bool,
        limit: Int
    ) throws(TransportError) -> Data {
        var inflater = try Inflater(windowBits: windowBits)
        // `withUnsafeBytes` doesn't carry a typed error: a result does.
        let result: Result<Data, TransportError> = data.withUnsafeBytes { input in
            do throws(TransportError) {
                return .success(try inflater.run(input, allowsMembers: allowsMembers, limit: limit))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

/// A zlib stream, freed with it.
private struct Inflater: ~Copyable {
    // zlib keeps a pointer back to the stream: it must not move.
    private let stream: UnsafeMutablePointer<z_stream>

    init(windowBits: Int32) throws(TransportError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        guard masthead_zlib_inflate_init(stream, windowBits) == Z_OK else {
            stream.deallocate()
            throw .setup("inflateInit2")
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    mutating func run(
        _ input: UnsafeRawBufferPointer,
        allowsMembers: Bool,
        limit: Int
    ) throws(TransportError) -> Data {
        var buffer = BodyBuffer()
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
        defer { chunk.deallocate() }
        var offset = 0
        var isEnded = false
        while true {
            // avail_in counts in 32 bits: feed what is bigger in pieces.
            let piece = min(input.count - offset, 1 << 30)
            stream.pointee.next_in = UnsafeMutablePointer(
                mutating: input.baseAddress?.advanced(by: offset).assumingMemoryBound(to: Bytef.self)
            )
            stream.pointee.avail_in = uInt(piece)
            stream.pointee.next_out = chunk.baseAddress?.assumingMemoryBound(to: Bytef.self)
            stream.pointee.avail_out = uInt(chunk.count)
            let result = CMastheadZlib.inflate(stream, Z_NO_FLUSH)
            offset += piece - Int(stream.pointee.avail_in)
            let produced = chunk.count - Int(stream.pointee.avail_out)
            guard buffer.count + produced <= limit else { throw .bodyTooLarge(limit: limit) }
            if produced > 0, let base = chunk.baseAddress,
                !buffer.append(base, count: produced, expected: input.count, limit: limit)
            {
                throw .bodyTooLarge(limit: limit)
            }
            switch result {
            case Z_STREAM_END:
                let rest = input[offset...]
                // Zero bytes after the last member are padding (as gzip(1) takes them); anything else is a member.
                if rest.allSatisfy({ $0 == 0 }) { return buffer.takeData() }
                guard allowsMembers else { throw .corruptBody("\(rest.count) bytes after its end") }
                guard inflateReset(stream) == Z_OK else { throw .corruptBody("no further member") }
                isEnded = false
            case Z_OK:
                isEnded = produced == 0 && offset == input.count
            case Z_BUF_ERROR:
                isEnded = true
            default:
                throw .corruptBody("damaged at byte \(offset) of its coded form")
            }
            if isEnded { throw .corruptBody("its coded form ends early, after \(input.count) bytes") }
        }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var text = self
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
