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
        headers = []
        headers.reserveCapacity(16)
        var isStatusLine = true
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            let line = bytes[start..<end]
            start = end + 1
            if isStatusLine {
                isStatusLine = false
            } else if let first = line.first, first.isLinearSpace {
                guard let last = headers.indices.last else { continue }
                let more = Self.text(of: line.trimmed)
                let space = headers[last].value.isEmpty || more.isEmpty ? "" : " "
                headers[last].value += space + more
            } else if let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex {
                let name = String(decoding: line[..<colon].trimmed, as: UTF8.self)
                headers.append(HeaderField(name: name, value: Self.text(of: line[(colon + 1)...].trimmed)))
            }
        }
    }

    /// The first value of a field.
    func value(of name: String) -> String? {
        headers.first { $0.name.utf8.count == name.utf8.count && $0.name.lowercased() == name }?.value
    }

    /// Field values are ASCII; what is not is taken for UTF-8, and for ISO-8859-1 if it is not that either.
    ///
    /// A CR or NUL within becomes a space (RFC 9110, section 5.5): handed on, it could end the field.
    private static func text(of bytes: ArraySlice<UInt8>) -> String {
        if bytes.allSatisfy({ $0 < 0x80 && $0 != 0 && $0 != 0x0D }) { return String(decoding: bytes, as: UTF8.self) }
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

extension ArraySlice<UInt8> {
    /// Without the white space around it.
    package var trimmed: ArraySlice<UInt8> {
        guard let first = firstIndex(where: { !$0.isLinearSpace }) else { return self[endIndex...] }
        let last = lastIndex { !$0.isLinearSpace } ?? first
        return self[first...last]
    }
}
