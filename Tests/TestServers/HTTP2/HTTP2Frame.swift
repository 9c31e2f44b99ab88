import MastheadTesting

/// One frame of HTTP/2 (RFC 9113, section 4.1).
struct HTTP2Frame {
    /// The types that matter here (RFC 9113, section 6).
    enum Kind: UInt8 {
        case data = 0
        case headers = 1
        case resetStream = 3
        case settings = 4
        case ping = 6
        case goAway = 7
        case windowUpdate = 8
    }

    static let endStream: UInt8 = 0x1
    static let acknowledgement: UInt8 = 0x1
    static let endHeaders: UInt8 = 0x4

    /// `nil` for a type that is passed over.
    let kind: Kind?
    let flags: UInt8
    let stream: UInt32
    let payload: [UInt8]

    /// Reads the next one; `nil` at the end of the stream.
    init?(from stream: any ByteStream) {
        guard let head = stream.readExactly(9) else { return nil }
        let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
        guard let payload = stream.readExactly(length) else { return nil }
        kind = Kind(rawValue: head[3])
        flags = head[4]
        self.stream = head[5...].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        self.payload = payload
    }

    /// The bytes of a frame.
    static func bytes(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8] {
        var bytes = Array(UInt32(payload.count).bigEndianBytes.dropFirst())
        bytes += [kind.rawValue, flags]
        bytes += stream.bigEndianBytes
        return bytes + payload
    }
}

extension UInt32 {
    /// Most significant first.
    var bigEndianBytes: [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}

extension ByteStream {
    /// Reads so many bytes; `nil` if the stream ends before.
    func readExactly(_ count: Int) -> [UInt8]? {
        // To make an array of nothing writes to the one empty array that all threads share.
        guard count > 0 else { return [] }
        var filled = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while filled < count {
                let rest = UnsafeMutableRawBufferPointer(buffer)[filled...]
                let read = read(into: UnsafeMutableRawBufferPointer(rebasing: rest))
                guard read > 0 else { break }
                filled += read
            }
            initialized = filled
        }
        return filled == count ? bytes : nil
    }
}
