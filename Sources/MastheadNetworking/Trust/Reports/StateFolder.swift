import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Where pins keep what must outlive the process, for its owner alone; all of it blocks.
enum StateFolder {
    /// Where it is if the app does not say (XDG Base Directory Specification): `masthead/NAME` below the folder for state.
    ///
    /// `nil` where the user has no such folder.
    static func standard(for environment: [String: String]) -> String? {
        guard let name = applicationName else { return nil }
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return "\(state)/masthead/\(name)" }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return "\(home)/.local/state/masthead/\(name)"
    }

    /// The executable's name.
    static var applicationName: String? {
        CommandLine.arguments.first.flatMap { $0.split(separator: "/").last }.map(String.init)
    }

    /// Makes a folder and those above it; `false` if it is not there then, or is another's.
    static func make(_ path: String) -> Bool {
        var status = stat()
        if stat(path, &status) != 0 {
            try? FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
        return isPrivate(path)
    }

    /// Whether it is a folder that no other user can write to: what is there would be posted, or move the time.
    static func isPrivate(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
            && status.st_mode & 0o022 == 0
    }
}
