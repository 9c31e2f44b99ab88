package import FoundationEssentials
import MastheadLock

/// Reads the pieces of one body, for one task at a time.
package final class BodyReader: Sendable {
    private let read: @Sendable () async throws(RepositoryError) -> Data?

    /// Makes a reader of what gives the next piece, and `nil` after the last.
    package init(_ read: @escaping @Sendable () async throws(RepositoryError) -> Data?) {
        self.read = read
    }

    /// Makes a reader of a body that is there already.
    convenience init(_ body: Data) {
        let rest = Lock(body.isEmpty ? nil : Optional(body))
        self.init { () throws(RepositoryError) in
            rest.withLock { rest in
                defer { rest = nil }
                return rest
            }
        }
    }

    /// The next piece; `nil` after the last.
    func next() async throws(RepositoryError) -> Data? {
        try await read()
    }

    /// Everything that is left, if it is no more than `limit` bytes.
    func rest(limit: Int) async throws(RepositoryError) -> Data {
        var body = Data()
        while let piece = try await next() {
            guard body.count + piece.count <= limit else { throw .bodyTooLarge(limit: limit) }
            body.append(piece)
        }
        return body
    }
}
