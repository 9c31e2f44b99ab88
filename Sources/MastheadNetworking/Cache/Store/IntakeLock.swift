import MastheadLock

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Tells payloads that are coming from those that a process left which has ended: who takes some in holds the lock together
/// with others, and the system opens it with the process's end.
///
/// Its methods are for a thread that may wait for the disk.
final class IntakeLock: Sendable {
    private let path: String
    private let descriptor = Lock<Int32?>(nil)

    /// - Parameter path: Where its file is, or is to be; made when it is first needed.
    init(path: String) {
        self.path = path
    }

    deinit {
        release()
    }

    /// Says that nothing is coming here any more.
    func release() {
        descriptor.withLock { descriptor in
            if let descriptor { close(descriptor) }
            descriptor = nil
        }
    }

    /// Says that payloads are coming here, from now on.
    func share() {
        descriptor.withLock { descriptor in
            guard descriptor == nil, let opened = Self.opened(path) else { return }
            // Without it, all that can happen is that what comes is taken for left over, and is not kept.
            flock(opened, LOCK_SH | LOCK_NB)
            descriptor = opened
        }
    }

    /// Does something if payloads are coming nowhere, neither in this process nor in another.
    func ifAlone<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
        guard descriptor.withLock({ $0 }) == nil, let opened = Self.opened(path) else { return }
        defer { close(opened) }
        guard flock(opened, LOCK_EX | LOCK_NB) == 0 else { return }
        try body()
    }

    private static func opened(_ path: String) -> Int32? {
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        return opened < 0 ? nil : opened
    }
}
