import MastheadTesting

/// Serves one connection on its own thread, frame after frame.
struct HTTP2Connection {
    private static let prefaceLength = 24

    /// A request and what is still to be done about it once it is whole.
    private struct Exchange {
        var request: HTTP2Server.Request
        var rest: ArraySlice<HTTP2Server.Step>
    }

    let stream: TLSStream
    let socket: ClientSocket
    let number: Int
    private var exchanges: [UInt32: Exchange] = [:]
    /// The streams whose bodies there is no more room for.
    private var full: Set<UInt32> = []

    init(stream: TLSStream, socket: ClientSocket, number: Int) {
        self.stream = stream
        self.socket = socket
        self.number = number
    }

    mutating func serve(nextScript: () -> [HTTP2Server.Step], note: (HTTP2Server.Request) -> Void) {
        guard stream.readExactly(Self.prefaceLength) != nil, stream.write(HTTP2Frame.bytes(.settings)) else { return }
        while let frame = HTTP2Frame(from: stream) {
            let goesOn: Bool
            switch frame.kind {
            case .settings where frame.flags & HTTP2Frame.acknowledgement == 0:
                goesOn = stream.write(HTTP2Frame.bytes(.settings, flags: HTTP2Frame.acknowledgement))
            case .ping where frame.flags & HTTP2Frame.acknowledgement == 0:
                goesOn = stream.write(HTTP2Frame.bytes(.ping, flags: HTTP2Frame.acknowledgement, frame.payload))
            case .headers:
                goesOn = begin(frame, nextScript(), note)
            case .data:
                goesOn = take(frame, note)
            case .resetStream:
                exchanges[frame.stream] = nil
                goesOn = true
            default:
                goesOn = true
            }
            guard goesOn else { return }
        }
    }

    /// Begins an exchange; `false` once the connection is ended.
    private mutating func begin(
        _ frame: HTTP2Frame,
        _ script: [HTTP2Server.Step],
        _ note: (HTTP2Server.Request) -> Void
    ) -> Bool {
        var request = HTTP2Server.Request(connection: number, stream: frame.stream, method: Self.method(of: frame))
        request.isWhole = frame.flags & HTTP2Frame.endStream != 0
        exchanges[frame.stream] = Exchange(request: request, rest: script[...])
        note(request)
        return advance(frame.stream)
    }

    private mutating func take(_ frame: HTTP2Frame, _ note: (HTTP2Server.Request) -> Void) -> Bool {
        if !frame.payload.isEmpty {
            let credit = UInt32(frame.payload.count).bigEndianBytes
            var updates = HTTP2Frame.bytes(.windowUpdate, credit)
            if !full.contains(frame.stream) {
                updates += HTTP2Frame.bytes(.windowUpdate, stream: frame.stream, credit)
            }
            guard stream.write(updates) else { return false }
        }
        guard exchanges[frame.stream] != nil else { return true }
        exchanges[frame.stream]?.request.bodyLength += frame.payload.count
        if frame.flags & HTTP2Frame.endStream != 0 { exchanges[frame.stream]?.request.isWhole = true }
        if let request = exchanges[frame.stream]?.request { note(request) }
        return advance(frame.stream)
    }

    /// Does what can be done for an exchange; `false` once the connection is ended.
    private mutating func advance(_ id: UInt32) -> Bool {
        while let exchange = exchanges[id], let step = exchange.rest.first {
            if case .wholeRequest = step, !exchange.request.isWhole { return true }
            exchanges[id]?.rest.removeFirst()
            guard perform(step, on: id) else { return false }
        }
        return true
    }

    private mutating func perform(_ step: HTTP2Server.Step, on id: UInt32) -> Bool {
        switch step {
        case .wholeRequest:
            return true
        case .gate(let gate):
            return gate.pass(socket)
        case .head(let status, let fields, let isLast):
            let flags = HTTP2Frame.endHeaders | (isLast ? HTTP2Frame.endStream : 0)
            return stream.write(HTTP2Frame.bytes(.headers, flags: flags, stream: id, Self.block(status, fields)))
        case .data(let text, let isLast):
            let flags = isLast ? HTTP2Frame.endStream : 0
            return stream.write(HTTP2Frame.bytes(.data, flags: flags, stream: id, Array(text.utf8)))
        case .takesNoMore:
            full.insert(id)
            return true
        case .resetStream(let code):
            return stream.write(HTTP2Frame.bytes(.resetStream, stream: id, code.rawValue.bigEndianBytes))
        case .goAway(let last, let code):
            let payload = last.id(for: id).bigEndianBytes + code.rawValue.bigEndianBytes
            return stream.write(HTTP2Frame.bytes(.goAway, payload))
        case .garbage:
            return stream.write(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
        case .close:
            stream.sayGoodbye()
            socket.finish()
            return false
        case .cut:
            socket.finish()
            return false
        case .resetConnection:
            socket.resetOnClose()
            return false
        }
    }

    /// The method, if the block begins with one of the static table's.
    private static func method(of frame: HTTP2Frame) -> String? {
        // libcurl sends a priority with its first request: five bytes (RFC 9113, section 6.2).
        switch frame.payload.dropFirst(frame.flags & 0x20 == 0 ? 0 : 5).first {
        case 0x82: "GET"
        case 0x83: "POST"
        default: nil
        }
    }

    /// A header block of literals that are not indexed (RFC 7541, section 6.2.2).
    private static func block(_ status: Int, _ fields: [(String, String)]) -> [UInt8] {
        ([(":status", "\(status)")] + fields).flatMap { name, value in
            [0] + literal(name) + literal(value)
        }
    }

    /// A text of fewer than 127 bytes, with its length before it.
    private static func literal(_ text: String) -> [UInt8] {
        [UInt8(truncatingIfNeeded: text.utf8.count)] + Array(text.utf8)
    }
}

extension HTTP2Server.LastStream {
    fileprivate func id(for stream: UInt32) -> UInt32 {
        switch self {
        case .this: stream
        case .before: stream > 2 ? stream - 2 : 0
        case .none: 0
        case .any: 0x7FFF_FFFF
        }
    }
}
