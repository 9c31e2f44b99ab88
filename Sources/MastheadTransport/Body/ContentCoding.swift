/// A content coding of a body (RFC 9110, section 8.4), and what this build can undo.
///
/// All are undone here, with zlib, libbrotlidec and libzstd, and none by libcurl (`CURLOPT_ACCEPT_ENCODING`), whatever it
/// was built with: libcurl 7.88.1 takes a body of any of them that is cut for a whole one, fails at a second gzip member,
/// and decodes on the one thread that serves every exchange. It is all or nothing: what it was built with, it decodes.
///
/// brotli and zstd come with the package's traits `Brotli` and `Zstandard`: each needs one more library.
package enum ContentCoding: Sendable {
    case gzip
    case deflate
    #if Brotli
    case brotli
    #endif
    #if Zstandard
    case zstandard
    #endif

    /// What is asked for when the request does not say.
    package static let accepted: String = {
        var names = ["gzip", "deflate"]
        #if Brotli
        names.append("br")
        #endif
        #if Zstandard
        names.append("zstd")
        #endif
        return names.joined(separator: ", ")
    }()

    /// The codings of a body, in the order they were applied.
    static func list(in headers: [HeaderField]) throws(TransportError) -> [ContentCoding] {
        let fields = headers.filter { $0.name.utf8.count == 16 && $0.name.lowercased() == "content-encoding" }
        return fields.isEmpty ? [] : try list(in: fields.map(\.value).joined(separator: ","))
    }

    /// The codings a `Content-Encoding` names, in the order they were applied.
    package static func list(in field: String) throws(TransportError) -> [ContentCoding] {
        var codings: [ContentCoding] = []
        for name in field.split(separator: ",") {
            switch name.trimmingSpaces.lowercased() {
            case "gzip", "x-gzip": codings.append(.gzip)
            case "deflate": codings.append(.deflate)
            #if Brotli
            case "br": codings.append(.brotli)
            #endif
            #if Zstandard
            case "zstd": codings.append(.zstandard)
            #endif
            case "identity", "": break
            default: throw .corruptBody("a content coding that was not asked for")
            }
        }
        guard codings.count <= 4 else { throw .corruptBody("\(codings.count) content codings on one body") }
        return codings
    }

    /// Starts undoing this coding.
    func makeStream() throws(TransportError) -> any CodedStream {
        switch self {
        case .gzip: try InflateStream(.gzip)
        case .deflate: try InflateStream(.deflate)
        #if Brotli
        case .brotli: try BrotliStream()
        #endif
        #if Zstandard
        case .zstandard: try ZstandardStream()
        #endif
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
