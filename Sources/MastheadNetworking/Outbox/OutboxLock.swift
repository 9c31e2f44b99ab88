#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Sees that one outbox sends the writes of a file at a time, in this process or another; the system opens it with the
/// process's end.
final class OutboxLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock; `nil` if another has it, or if it cannot be made.
    init?(_ path: String) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return nil }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            return nil
        }
    }

    deinit {
        close(descriptor)
    }
}
