import Glibc

/// What this process has used up so far, as the kernel counts it.
struct ProcessUsage {
    /// User and system time, in seconds.
    let cpuSeconds: Double

    /// Voluntary and involuntary context switches.
    let switches: Int

    /// The most memory ever held, in MiB.
    let peakMiB: Double

    /// The bytes given to the system to write, into whichever files.
    let writtenBytes: Int

    static var now: ProcessUsage {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let microseconds =
            (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1_000_000 + usage.ru_utime.tv_usec
            + usage.ru_stime.tv_usec
        return ProcessUsage(
            cpuSeconds: Double(microseconds) / 1e6,
            switches: usage.ru_nvcsw + usage.ru_nivcsw,
            peakMiB: Double(peakKiB ?? usage.ru_maxrss) / 1024,
            writtenBytes: number(after: "wchar:", in: "/proc/self/io") ?? 0
        )
    }

    /// `VmHWM`: unlike `ru_maxrss`, it starts anew at `exec`, so the size of the driver doesn't count.
    private static var peakKiB: Int? { number(after: "VmHWM:", in: "/proc/self/status") }

    private static func number(after name: Substring, in file: String) -> Int? {
        KernelFile.words(of: file).first { $0.first == name }?.dropFirst().first.flatMap { Int($0) }
    }
}

/// The monotonic clock, in nanoseconds.
public func monotonicNanoseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
