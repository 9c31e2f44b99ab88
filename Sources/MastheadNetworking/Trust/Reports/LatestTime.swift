package import FoundationEssentials
import MastheadLock
import MastheadTransport

/// The latest time at which pins were judged, kept on disk: a clock that is set back cannot bring expired pins to life
/// again.
///
/// Time is only taken from the clock when a chain was verified by it, so a clock that is far ahead, by which no certificate
/// holds, moves nothing.
package final class LatestTime: Sendable {
    /// How much later it must be to be written again.
    private static let step: TimeInterval = 3600

    private let path: String?
    private let time: any TimeSource
    private let written: Lock<Date>

    /// The latest time that an earlier process saw.
    package let floor: Date

    /// Reads the file; this blocks.
    ///
    /// - Parameters:
    ///   - folder: The folder for state; `nil` to remember nothing.
    ///   - time: The clock.
    package init(in folder: String?, time: any TimeSource) {
        path = folder.map { $0 + "/latest-time" }
        self.time = time
        let kept = folder.map { StateFolder.isPrivate($0) } == true ? path : nil
        let text = kept.flatMap { try? SmallFile.contents($0, maximumSize: 64) }.map {
            String(decoding: $0, as: UTF8.self)
        }
        floor = text.flatMap { Date(iso8601: $0) } ?? .distantPast
        written = Lock(floor)
    }

    /// The clock's time.
    package var now: Date { time.date }

    /// Keeps a time by which a chain was verified, if it is the latest.
    package func keep(_ now: Date) {
        guard let path else { return }
        let isNew = written.withLock { written in
            guard now.timeIntervalSince(written) >= Self.step else { return false }
            written = now
            return true
        }
        if isNew, let text = now.iso8601 {
            // The loop that asks must not wait for a disk.
            Task.detached {
                await OwnThread.run {
                    guard let slash = path.lastIndex(of: "/"), StateFolder.make(String(path[..<slash])) else { return }
                    _ = SmallFile.put(Array(text.utf8), to: path)
                }
            }
        }
    }
}
