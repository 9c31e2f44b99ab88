import MastheadLock
import MastheadTransport

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
    /// - Throws: ``RepositoryError/bodyNotReplayable`` the second time.
    func begin() throws(RepositoryError) -> (pipe: BodyPipe, writer: BodyWriter) {
        let isFirst = isBegun.withLock { isBegun in
            defer { isBegun = true }
            return !isBegun
        }
        guard isFirst else { throw .bodyNotReplayable }
        let pipe = BodyPipe()
        return (pipe, BodyWriter(Task { [produce] in await produce(pipe) }))
    }
}

extension StreamedBody: Hashable {
    package static func == (left: StreamedBody, right: StreamedBody) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// The task that writes a body; it ends with this object, when nobody reads any more.
final class BodyWriter: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) {
        self.task = task
    }

    deinit {
        task.cancel()
    }

    /// Ends it; does nothing once all was written.
    func stop() {
        task.cancel()
    }
}
