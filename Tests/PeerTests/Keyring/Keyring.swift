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
    ///   - asksUser: Whether there is one to ask, who does not answer: see ``asked(in:)``.
    /// - Returns: The service, which has taken its name on the bus.
    /// - Throws: A ``PeerError`` if it does not start.
    static func start(in folder: URL, isUnlocked: Bool = true, asksUser: Bool = false) async throws -> Keyring {
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
        if asksUser { try installPrompter(in: folder) }
        let stopPipe = try pipe("stop", in: folder)
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

    private static func pipe(_ name: String, in folder: URL) throws -> String {
        let path = folder.appending(path: name).path()
        guard mkfifo(path, 0o600) == 0 || errno == EEXIST else { throw PeerError("no pipe: errno \(errno)") }
        return path
    }

    /// Makes what the bus starts when the user is to be asked: it says so, and never takes its name, so that whoever wants
    /// something of it waits.
    private static func installPrompter(in folder: URL) throws {
        let (asked, held) = (try pipe("asked", in: folder), try pipe("held", in: folder))
        let script = folder.appending(path: "prompter").path()
        try "echo asked >'\(asked)'; read line <'\(held)'\n".write(toFile: script, atomically: true, encoding: .utf8)
        let services = folder.appending(path: "data/dbus-1/services")
        try FileManager.default.createDirectory(at: services, withIntermediateDirectories: true)
        let name = "org.gnome.keyring.SystemPrompter"
        try "[D-BUS Service]\nName=\(name)\nExec=/bin/sh \(script)\n".write(
            to: services.appending(path: "\(name).service"),
            atomically: true,
            encoding: .utf8
        )
    }

    /// Waits until the user is asked.
    static func asked(in place: String) async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                // It opens when somebody writes.
                close(open(place + "/asked", O_RDONLY | O_CLOEXEC))
                continuation.resume()
            }
        }
    }

    /// Ends the bus and the service, and waits for it.
    func stop() async {
        // Who was to ask the user, if somebody was.
        let held = open(stopPipe.dropLast(4) + "held", O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        if held >= 0 { close(held) }
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
