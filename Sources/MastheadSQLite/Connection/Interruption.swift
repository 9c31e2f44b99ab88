import Synchronization

/// The wish that what runs on a connection should stop, said from any thread.
///
/// The connection looks at it before each statement, and SQLite every few thousand steps within one. Nobody but the
/// connection's own thread ever touches its handle, so a wish that comes late stops nothing else.
final class Interruption: Sendable {
    private let flag = Atomic(false)

    var isWished: Bool { flag.load(ordering: .relaxed) }

    func wish() {
        flag.store(true, ordering: .relaxed)
    }
}
