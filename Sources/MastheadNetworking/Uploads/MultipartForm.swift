public import FoundationEssentials

/// A form with files, as `multipart/form-data` (RFC 7578), of any size.
///
/// ```swift
/// let form: MultipartForm = [
///     .field("title", "Harbours"),
///     .file("cover", path: "/srv/covers/harbours.jpg", contentType: "image/jpeg"),
///     .data("note", Data(note.utf8), filename: "note.txt", contentType: "text/plain; charset=utf-8"),
/// ]
/// ```
///
/// The parts are sent in their order, and a name may stand there more than once. A file is read while it is sent, so it
/// must stay as it is until then; only its path and its length are kept. One that is missing, cannot be read or is no
/// regular file ends the call with ``RepositoryError/invalidRequest(reason:)`` before anything is sent, as do a line
/// break in a content type and a NUL in a name.
///
/// Names are sent in UTF-8, with `"`, CR and LF as `%22`, `%0D` and `%0A` and nothing else escaped, as browsers do it.
public struct MultipartForm: Sendable, Hashable, ExpressibleByArrayLiteral {
    /// The parts, in the order they are sent in.
    public var parts: [Part]

    /// What stands between the parts: 128 bits of chance, so that it stands in none of them.
    let boundary: String

    /// The `Content-Type` that goes with the form.
    public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// Makes a form of its parts.
    public init(_ parts: [Part] = []) {
        self.parts = parts
        var random = SystemRandomNumberGenerator()
        let digits = (0..<2).map { _ in
            let text = String(random.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - text.utf8.count) + text
        }
        boundary = "masthead-" + digits.joined()
    }

    /// Makes a form of a literal's parts.
    public init(arrayLiteral elements: Part...) {
        self.init(elements)
    }

    /// One part of a form: a field, bytes, or a file.
    public struct Part: Sendable, Hashable {
        enum Content: Hashable {
            case data(Data)
            case file(path: String)
        }

        /// The name, as plain text.
        public let name: String

        /// The name of the file that the server is told of; `nil` if it is no file.
        public let filename: String?

        /// What the content is; `nil` for a field's text.
        public let contentType: String?

        let content: Content

        /// A field with a text, sent as it is in UTF-8.
        public static func field(_ name: String, _ value: String) -> Part {
            Part(name: name, filename: nil, contentType: nil, content: .data(Data(value.utf8)))
        }

        /// Bytes in memory.
        ///
        /// - Parameters:
        ///   - name: The part's name.
        ///   - data: The bytes.
        ///   - filename: The name of a file to send them as; `nil` sends them as a field.
        ///   - contentType: What they are; `nil` does not say.
        /// - Returns: The part.
        public static func data(
            _ name: String,
            _ data: Data,
            filename: String? = nil,
            contentType: String? = "application/octet-stream"
        ) -> Part {
            Part(name: name, filename: filename, contentType: contentType, content: .data(data))
        }

        /// A file, read while it is sent.
        ///
        /// - Parameters:
        ///   - name: The part's name.
        ///   - path: Where the file is.
        ///   - filename: The name to send it as; `nil` takes the last component of the path.
        ///   - contentType: What it is; `nil` does not say.
        /// - Returns: The part; the file is not looked at before it is sent.
        public static func file(
            _ name: String,
            path: String,
            filename: String? = nil,
            contentType: String? = "application/octet-stream"
        ) -> Part {
            let filename = filename ?? UploadFile.name(of: path)
            return Part(name: name, filename: filename, contentType: contentType, content: .file(path: path))
        }
    }
}

extension MultipartForm.Part: CustomStringConvertible, CustomReflectable {
    /// The name alone; what the part holds may be a secret.
    public var description: String { name }

    /// What a dump or a debugger shows: the name.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name], displayStyle: .struct)
    }
}
