import Foundation
import Glibc
import Synchronization

/// Sees to it that nothing is left behind when the driver is told to stop.
enum Interruption {
    private static let folders = Mutex<[String]>([])

    /// Has a folder removed as well.
    static func alsoRemove(_ folder: String) {
        folders.withLock { $0.append(folder) }
    }

    /// Starts watching; to be called before any other thread is made.
    static func watch() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let watched = signals
        Thread.detachNewThread {
            var signals = watched
            var signal: Int32 = 0
            sigwait(&signals, &signal)
            ChildProcess.stopAll()
            folders.withLock { $0.forEach { try? FileManager.default.removeItem(atPath: $0) } }
            exit(128 + signal)
        }
    }
}
