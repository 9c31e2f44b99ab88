#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Sees at less than the price of a walk along the path that a file is still where it was.
///
/// The system notes in the file itself when it gets another name or loses one: as long as nothing of that has changed, the
/// path leads to it. What the file cannot know, that a folder above it was moved, is seen a moment later, by the full look
/// that is due then anyway.
package struct FileSight: ~Copyable {
    /// What changes in a file when its name does.
    fileprivate struct Mark: Equatable {
        let names: UInt64
        let changed: Int64
    }

    /// How long two changes may have the same time, in milliseconds.
    private let tick: Int64
    /// How long a full look is good for, in milliseconds.
    private let longest: Int64
    /// A descriptor that only names the file: unlike any other, closing it takes no locks away.
    private let descriptor: Int32
    private let path: String
    private var known: Mark?
    private var looked: Int64 = 0

    /// Names the file at a path; `nil` where the system cannot.
    package init?(_ path: String, tick: Int64 = 50, longest: Int64 = 50) {
        (self.tick, self.longest) = (tick, longest)
        #if os(Linux)
        descriptor = open(path, pathOnly | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        self.path = path
        #else
        return nil
        #endif
    }

    deinit { close(descriptor) }

    /// Whether nothing has changed since the last full look, a moment ago at most.
    package var isUnchanged: Bool {
        guard let known, Self.milliseconds(CLOCK_MONOTONIC) - looked < longest else { return false }
        var status = stat()
        return fstat(descriptor, &status) == 0 && Mark(status) == known
    }

    /// Prepares for a full look: what changes from now on is seen.
    package mutating func prepare() {
        known = nil
        var (status, place) = (stat(), stat())
        guard fstat(descriptor, &status) == 0, stat(path, &place) == 0 else { return }
        guard status.st_ino == place.st_ino, status.st_dev == place.st_dev else { return }
        let mark = Mark(status)
        // Within a tick of the system's clock, two changes have the same time.
        guard Self.milliseconds(CLOCK_REALTIME) - mark.changed / 1_000_000 > tick else { return }
        known = mark
        looked = Self.milliseconds(CLOCK_MONOTONIC)
    }

    static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

extension FileSight.Mark {
    fileprivate init(_ status: stat) {
        names = UInt64(status.st_nlink)
        #if canImport(Darwin)
        changed = Int64(status.st_ctimespec.tv_sec) * 1_000_000_000 + Int64(status.st_ctimespec.tv_nsec)
        #else
        changed = Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
        #endif
    }
}

#if os(Linux)
/// `O_PATH`, which Swift does not see: GNU's headers have it behind a macro.
private let pathOnly: Int32 = 0o10_000_000
#endif
