/// The status and the header fields of an answer, read from the lines libcurl hands over.
package struct ResponseHead: Sendable, Hashable {
    package var status: Int
    package var headers: [HeaderField]

    /// Reads the lines of one head; `nil` if they do not begin with a status line.
    ///
    /// Folded lines (RFC 9112, section 5.2) are joined by a space; lines without a colon are left out.
    package init?(lines bytes: [UInt8], status: Int) {
        guard bytes.starts(with: "HTTP/".utf8) else { return nil }
        self.status = status
        headers = bytes.withUnsafeBufferPointer { Self.fields(in: $0) }
    }

    /// The fields below the status line: read where they are, since a slice of an array costs more than the bytes in it.
    private static func fields(in bytes: UnsafeBufferPointer<UInt8>) -> [HeaderField] {
        var fields: [HeaderField] = []
        fields.reserveCapacity(16)
        var rest = bytes[...]
        _ = rest.takeLine()
        while !rest.isEmpty {
            let line = rest.takeLine()
            if let first = line.first, first.isLinearSpace {
                guard let last = fields.indices.last else { continue }
                let more = text(of: line.trimmed)
                let space = fields[last].value.isEmpty || more.isEmpty ? "" : " "
                fields[last].value += space + more
            } else if let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex {
                let name = String(decoding: UnsafeBufferPointer(rebasing: line[..<colon].trimmed), as: UTF8.self)
                fields.append(HeaderField(name: name, value: text(of: line[(colon + 1)...].trimmed)))
            }
        }
        return fields
    }

    /// The first value of a field.
    func value(of name: String) -> String? {
        headers.first { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name }?.value
    }

    /// Field values are ASCII; what is not is taken for UTF-8, and for ISO-8859-1 if it is not that either.
    ///
    /// A CR or NUL within becomes a space (RFC 9110, section 5.5): handed on, it could end the field.
    private static func text(of bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        if bytes.allSatisfy({ $0 < 0x80 && $0 != 0 && $0 != 0x0D }) {
            return String(decoding: UnsafeBufferPointer(rebasing: bytes), as: UTF8.self)
        }
        let bytes = bytes.map { $0 == 0 || $0 == 0x0D ? 0x20 : $0 }[...].trimmed
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}

extension UInt8 {
    package var isLinearSpace: Bool {
        self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") || self == UInt8(ascii: "\r")
    }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
    /// Takes the next line, without its end.
    fileprivate mutating func takeLine() -> Self {
        let end = firstIndex(of: UInt8(ascii: "\n"))
        defer { self = end.map { self[($0 + 1)...] } ?? self[endIndex...] }
        return self[..<(end ?? endIndex)]
    }
}

extension BidirectionalCollection<UInt8> where SubSequence == Self {
    /// Without the white space around it.
    package var trimmed: Self {
        guard let first = firstIndex(where: { !$0.isLinearSpace }) else { return self[endIndex...] }
        let last = lastIndex { !$0.isLinearSpace } ?? first
        return self[first...last]
    }
}
