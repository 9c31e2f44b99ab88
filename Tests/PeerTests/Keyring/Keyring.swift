import Foundation
import Testing

/// GNOME Keyring as the Secret Service of a session bus of its own, with an unlocked collection.
struct Keyring {
    /// The address of the bus.
    let address: String
    private let process: PeerProcess
    private let stopPipe: String

    private static let programs = ["dbus-run-session", "dbus-send", "gnome-keyring-daemon", "secret-tool"].map {
        URL(filePath: "/usr/bin/\($0)")
    }

    /// Whether there is one, and libsecret to reach it by.
    static var isThere: Bool { Peers.have(programs + [library]) }

    private static var library: URL {
        #if arch(arm64)
        URL(filePath: "/usr/lib/aarch64-linux-gnu/libsecret-1.so.0")
        #else
        URL(filePath: "/usr/lib/x86_64-linux-gnu/libsecret-1.so.0")
        #endif
    }

    /// Starts the bus and the service.
    ///
    /// - Parameters:
    ///   - folder: Where it keeps its collections, also those of an earlier start.
    ///   - isUnlocked: Whether its collection is unlocked; if not, it wants to ask a user, and there is none.
    /// - Returns: The service, which has taken its name on the bus.
    /// - Throws: A ``PeerError`` if it does not start.
    static func start(in folder: URL, isUnlocked: Bool = true) async throws -> Keyring {
        for name in ["data", "run", "home"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name),
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
        // It is asked for nothing before it has taken its name, or the bus would start another. A signal would end
        // dbus-run-session and leave the bus: both end with the script, when somebody writes into the pipe.
        let script = """
            \(isUnlocked ? "printf planted | gnome-keyring-daemon --unlock" : "gnome-keyring-daemon --start") \
            --foreground --components=secrets >/dev/null 2>&1 &
            until dbus-send --session --print-reply --dest=org.freedesktop.DBus /org/freedesktop/DBus \
            org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets | grep -q true; do :; done
            echo "ready $DBUS_SESSION_BUS_ADDRESS"
            read line <stop
            kill $!
            wait
            """
        let stopPipe = folder.appending(path: "stop").path()
        guard mkfifo(stopPipe, 0o600) == 0 || errno == EEXIST else { throw PeerError("no pipe: errno \(errno)") }
        let (process, address) = try await PeerProcess.start(
            programs[0],
            ["--", "/bin/sh", "-c", script],
            in: folder,
            environment: [
                "HOME": folder.appending(path: "home").path(),
                "XDG_DATA_HOME": folder.appending(path: "data").path(),
                "XDG_RUNTIME_DIR": folder.appending(path: "run").path(),
            ]
        ) { line in
            line.hasPrefix("ready ") ? String(line.dropFirst(6)) : nil
        }
        return Keyring(address: address, process: process, stopPipe: stopPipe)
    }

    /// Ends the bus and the service, and waits for it.
    func stop() async {
        close(open(stopPipe, O_WRONLY | O_CLOEXEC))
        // A signal that does nothing: it has been asked already.
        await process.stop(SIGCONT)
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs where GNOME Keyring is.
    static var needsKeyring: Self {
        .enabled(if: Keyring.isThere, "needs dbus, gnome-keyring, libsecret-1-0 and libsecret-tools: \(Peers.hint)")
    }
}
