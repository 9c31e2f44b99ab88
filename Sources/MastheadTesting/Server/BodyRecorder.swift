import FoundationEssentials
import MastheadCrypto
import MastheadNetworking

/// What is remembered of a body: its first bytes, its length and its digest, and the same of each of its parts.
struct RecordedBody: Sendable, Hashable {
    var kept = Data()
    var length = 0
    /// SHA-256 of all of it, in lower-case hexadecimal digits.
    var digest = ""
    var parts: [ScriptedServer.ReceivedRequest.Part] = []
}

/// Records a body while it comes, in memory that does not grow with it beyond what is kept.
struct BodyRecorder: ~Copyable {
    private let keptBytes: Int
    private var digest: DigestStream?
    private var body = RecordedBody()
    private var multipart: MultipartRecorder?

    /// Begins with nothing.
    ///
    /// - Parameters:
    ///   - headers: The fields that say whether the body has parts.
    ///   - keptBytes: How many bytes are kept of the body, and of each part.
    init(_ headers: HTTPHeaders, keeping keptBytes: Int) {
        self.keptBytes = keptBytes
        digest = try? DigestStream(.sha256)
        multipart = MultipartRecorder(contentType: headers["Content-Type"] ?? "", keeping: keptBytes)
    }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        body.kept.append(contentsOf: bytes.prefix(keptBytes - body.kept.count))
        body.length += bytes.count
        try? digest?.update(bytes)
        multipart?.add(bytes)
    }

    consuming func finish() -> RecordedBody {
        if let digest = digest.take() { body.digest = (try? digest.finish().hexadecimal) ?? "" }
        if let multipart = multipart.take() { body.parts = multipart.finish() }
        return body
    }
}
