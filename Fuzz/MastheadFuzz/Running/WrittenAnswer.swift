/// What an answer's bytes mean, read by the letter of RFC 9112 as one text.
///
/// Only what has one meaning is read: where readers may differ (other line ends, folded lines, a length beside chunks),
/// nothing is expected of them.
enum WrittenAnswer: Equatable {
    /// The answer to a request, and all of its body.
    case whole(status: Int, body: [UInt8])
    /// An answer whose body ends early.
    case cut
    /// What this reader does not judge.
    case unclear

    init(_ bytes: [UInt8], to method: String) {
        self = Self.read(bytes[...], method) ?? .unclear
    }

    private static func read(_ bytes: ArraySlice<UInt8>, _ method: String) -> WrittenAnswer? {
        var rest = bytes
        while let head = Head(takenFrom: &rest) {
            guard head.status != 101 else { return nil }
            if head.status < 200 { continue }
            let isChunked = !head.values(of: "transfer-encoding").isEmpty
            let lengths = head.values(of: "content-length")
            if isChunked {
                guard head.values(of: "transfer-encoding") == ["chunked"], lengths.isEmpty, head.isVersion1Point1 else {
                    return nil
                }
            }
            guard Set(lengths).count <= 1, lengths.allSatisfy({ (1...9).contains($0.utf8.count) && UInt($0) != nil })
            else { return nil }
            if method == "HEAD" || head.status == 204 || head.status == 304 {
                return .whole(status: head.status, body: [])
            }
            if isChunked { return chunks(rest).map { $0.map { .whole(status: head.status, body: $0) } ?? .cut } }
            let length = lengths.first.flatMap { Int($0) } ?? rest.count
            return rest.count < length ? .cut : .whole(status: head.status, body: Array(rest.prefix(length)))
        }
        return nil
    }

    /// The body in chunks; `.some(nil)` if it ends early, `nil` if it is no such body.
    private static func chunks(_ bytes: ArraySlice<UInt8>) -> [UInt8]?? {
        var rest = bytes
        var body: [UInt8] = []
        while true {
            guard let line = line(takenFrom: &rest) else { return rest.allSatisfy(isHexadecimal) ? .some(nil) : nil }
            guard (1...6).contains(line.count), line.allSatisfy(isHexadecimal),
                let size = Int(String(decoding: line, as: UTF8.self), radix: 16)
            else { return nil }
            if size == 0 { break }
            guard rest.count >= size + 2 else { return .some(nil) }
            body += rest.prefix(size)
            rest = rest.dropFirst(size)
            guard rest.starts(with: [13, 10]) else { return nil }
            rest = rest.dropFirst(2)
        }
        // Trailers are another matter.
        guard rest.starts(with: [13, 10]) else { return nil }
        return .some(body)
    }

    /// A line that ends with CRLF and holds neither; `nil` if there is none.
    fileprivate static func line(takenFrom rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(where: { $0 == 13 || $0 == 10 }), rest[end...].starts(with: [13, 10]) else {
            return nil
        }
        defer { rest = rest[(end + 2)...] }
        return rest[..<end]
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
    }
}

/// A head by the letter: a status line, and fields of visible ASCII with nothing odd about them.
private struct Head {
    var status = 0
    var isVersion1Point1 = false
    private var fields: [(name: String, value: String)] = []

    init?(takenFrom rest: inout ArraySlice<UInt8>) {
        guard let line = WrittenAnswer.line(takenFrom: &rest), line.count >= 13,
            line.starts(with: "HTTP/1.1 ".utf8) || line.starts(with: "HTTP/1.0 ".utf8),
            let status = Int(String(decoding: line.dropFirst(9).prefix(3), as: UTF8.self)),
            (100...599).contains(status), line[line.startIndex + 12] == 0x20,
            line.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        self.status = status
        isVersion1Point1 = line[line.startIndex + 7] == 0x31
        while let line = WrittenAnswer.line(takenFrom: &rest) {
            if line.isEmpty { return }
            let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty, parts[0].allSatisfy({ $0 == 0x2D || $0 >= 0x30 && $0 <= 0x7A }),
                line.allSatisfy({ (0x20...0x7E).contains($0) })
            else { return nil }
            let value = String(decoding: parts[1], as: UTF8.self).split(separator: " ").joined(separator: " ")
            fields.append((String(decoding: parts[0], as: UTF8.self).lowercased(), value.lowercased()))
        }
        return nil
    }

    func values(of name: String) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }
}
