public import FoundationEssentials

/// What a request carries.
///
/// ```swift
/// .post("bookmarks", body: .json(bookmark))
/// .post("login", body: .form(["user": name, "password": password]))
/// .put("order", body: .json(["sea", "ports", "harbours"]))
/// .put("covers/\(id)", body: .file("/tmp/cover.png", contentType: "image/png"))
/// .post("reports", body: .json(report).compressed())
/// ```
///
/// A body is made of its value when the request is sent, off the caller's actor; one that does not encode ends the
/// call with ``RepositoryError/invalidRequest(reason:)``.
public struct RequestBody: Sendable {
    /// Makes the body; called once for each call of the repository, off the caller's actor.
    let make: @Sendable (NetworkingConfiguration) throws -> HTTPBody

    /// The `Content-Type` that goes with it, unless the request has one of its own; `nil` sends none.
    public let contentType: String?

    /// The `Content-Encoding` that goes with it; `nil` sends none of its own.
    public let contentEncoding: String?

    init(
        contentType: String?,
        contentEncoding: String? = nil,
        make: @escaping @Sendable (NetworkingConfiguration) throws -> HTTPBody
    ) {
        self.contentType = contentType
        self.contentEncoding = contentEncoding
        self.make = make
    }

    private init(encode: @escaping @Sendable (NetworkingConfiguration) throws -> Data, contentType: String?) {
        self.init(contentType: contentType) { .data(try encode($0)) }
    }

    /// Bytes as they are.
    public static func data(_ data: Data, contentType: String?) -> RequestBody {
        RequestBody(encode: { _ in data }, contentType: contentType)
    }

    /// Text in UTF-8.
    public static func text(_ text: String, contentType: String = "text/plain; charset=utf-8") -> RequestBody {
        RequestBody(encode: { _ in Data(text.utf8) }, contentType: contentType)
    }

    /// A value as JSON, its dates and names written as ``NetworkingConfiguration/decoding`` says.
    public static func json(_ value: some Encodable & Sendable) -> RequestBody {
        RequestBody(
            encode: { try $0.decoding.makeEncoder().encode(value) },
            contentType: "application/json"
        )
    }

    /// Any JSON value, a literal for example: an object, an array, a single string.
    public static func json(_ value: JSONValue) -> RequestBody {
        RequestBody(encode: { _ in try value.encoded() }, contentType: "application/json")
    }

    /// Parameters as a JSON object, its members in the order of writing.
    public static func json(parameters: Parameters) -> RequestBody {
        RequestBody(encode: { _ in try parameters.encodedAsJSON() }, contentType: "application/json")
    }

    /// Parameters as a form's fields (`application/x-www-form-urlencoded` of the URL Standard): a space is a `+`.
    public static func form(_ parameters: Parameters) -> RequestBody {
        RequestBody(
            encode: { _ in
                var bytes: [UInt8] = []
                try parameters.append(to: &bytes, as: .form)
                return Data(bytes)
            },
            contentType: "application/x-www-form-urlencoded"
        )
    }

    /// The body, or the typed error of a value that does not encode.
    func body(for configuration: NetworkingConfiguration) throws(RepositoryError) -> HTTPBody {
        do {
            return try make(configuration)
        } catch let error as RepositoryError {
            throw error
        } catch EncodingError.invalidValue(_, let context) {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw .invalidRequest(reason: "the body does not encode at \(path.isEmpty ? "its top" : path)")
        } catch {
            // An error of the app's may describe a value, so only its type is told.
            throw .invalidRequest(reason: "the body does not encode: \(type(of: error))")
        }
    }
}
