package import FoundationEssentials

/// A form as it goes out: what is in memory, and the files between.
package struct MultipartLayout: Sendable, Hashable {
    /// What is sent, in order.
    package private(set) var segments: [MultipartSegment] = []

    /// How many bytes that is in all.
    package private(set) var length = 0

    /// Bytes up to this many are copied beside their neighbours rather than sent for themselves.
    private static let smallSize = 4096

    private var pending: [UInt8] = []

    /// Lays a form out; it opens each file to see that it can be read, which may wait for a disk or a network.
    ///
    /// - Throws: ``RepositoryError/invalidRequest(reason:)``; the reason names a file by the last component of its path.
    package init(_ form: MultipartForm) throws(RepositoryError) {
        for part in form.parts {
            pending.append(contentsOf: "--\(form.boundary)\r\n".utf8)
            try appendHead(of: part)
            switch part.content {
            case .data(let data) where data.count <= Self.smallSize: pending.append(contentsOf: data)
            case .data(let data): try append(.bytes(data), length: data.count)
            case .file(let path):
                let length = try UploadFile.length(of: path)
                if length > 0 { try append(.file(path: path, length: length), length: length) }
            }
            pending.append(contentsOf: "\r\n".utf8)
        }
        pending.append(contentsOf: "--\(form.boundary)--\r\n".utf8)
        try flush()
    }

    private mutating func appendHead(of part: MultipartForm.Part) throws(RepositoryError) {
        pending.append(contentsOf: "Content-Disposition: form-data; name=".utf8)
        try appendQuoted(part.name)
        if let filename = part.filename {
            pending.append(contentsOf: "; filename=".utf8)
            try appendQuoted(filename)
        }
        if let contentType = part.contentType {
            try HTTPHeaders([HTTPHeaders.Field(name: "Content-Type", value: contentType)]).validate()
            pending.append(contentsOf: "\r\nContent-Type: \(contentType)".utf8)
        }
        pending.append(contentsOf: "\r\n\r\n".utf8)
    }

    /// Appends a name as RFC 7578, section 2, and the WHATWG HTML standard, section 4.10.22.7, have it.
    private mutating func appendQuoted(_ name: String) throws(RepositoryError) {
        pending.append(UInt8(ascii: "\""))
        for byte in name.utf8 {
            switch byte {
            case 0: throw .invalidRequest(reason: "a name in the form holds a NUL")
            case UInt8(ascii: "\""): pending.append(contentsOf: "%22".utf8)
            case UInt8(ascii: "\r"): pending.append(contentsOf: "%0D".utf8)
            case UInt8(ascii: "\n"): pending.append(contentsOf: "%0A".utf8)
            default: pending.append(byte)
            }
        }
        pending.append(UInt8(ascii: "\""))
    }

    private mutating func append(_ segment: MultipartSegment, length: Int) throws(RepositoryError) {
        try flush()
        try count(length)
        segments.append(segment)
    }

    private mutating func flush() throws(RepositoryError) {
        guard !pending.isEmpty else { return }
        try count(pending.count)
        segments.append(.bytes(Data(pending)))
        pending = []
    }

    private mutating func count(_ added: Int) throws(RepositoryError) {
        let (sum, isTooMuch) = length.addingReportingOverflow(added)
        guard !isTooMuch else { throw .invalidRequest(reason: "the form is bigger than any body") }
        length = sum
    }
}

/// A piece of a form as it goes out.
package enum MultipartSegment: Sendable, Hashable {
    /// Bytes in memory.
    case bytes(Data)

    /// A file from its beginning, of so many bytes when it was looked at.
    case file(path: String, length: Int)
}
