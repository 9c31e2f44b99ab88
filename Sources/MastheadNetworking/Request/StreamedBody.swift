import MastheadLock
package import MastheadTransport

/// A body that somebody makes while it is sent; it can be begun once.
package final class StreamedBody: Sendable {
    package let length: Int?

    private let produce: @Sendable (BodyPipe) async -> Void
    private let isBegun = Lock(false)

    /// Makes a body of what a closure writes into a pipe and then finishes.
    init(length: Int?, produce: @escaping @Sendable (BodyPipe) async -> Void) {
        self.length = length
        self.produce = produce
    }

    /// Begins to write.
    ///
    /// - Returns: The pipe, and the task that writes, to be cancelled when nobody reads any more.
    /// - Throws: ``RepositoryError/bodyNotReplayable`` the second time.
    package func begin() throws(RepositoryError) -> (pipe: BodyPipe, writer: Task<Void, Never>) {
        let isFirst = isBegun.withLock { isBegun in
            defer { isBegun = true }
            return !isBegun
        }
        guard isFirst else { throw .bodyNotReplayable }
        let pipe = BodyPipe()
        return (pipe, Task { [produce] in await produce(pipe) })
    }
}

extension StreamedBody: Hashable {
    package static func == (left: StreamedBody, right: StreamedBody) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
