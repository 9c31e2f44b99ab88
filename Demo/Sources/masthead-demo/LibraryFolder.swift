import FoundationEssentials

/// Where a library lies.
struct LibraryFolder: Sendable {
    let path: String

    /// Whether there is a library: to look for one is no reason to make it.
    var isThere: Bool { FileManager.default.fileExists(atPath: path + "/library.db") }

    var url: URL { URL(filePath: path, directoryHint: .isDirectory) }

    /// - Parameters:
    ///   - folder: The folder that was asked for; `nil` for the fixed one.
    ///   - variables: The environment.
    init(_ folder: String?, variables: [String: String]) {
        path = folder ?? Self.caches(variables) + "/masthead-demo/library"
    }

    /// Makes the folders that it lies in; the library makes the last one itself.
    func makeParent() throws(Tour.Stop) {
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
        } catch {
            throw Tour.Stop(message: "\(path) cannot be made")
        }
    }

    /// The user's caches, by the XDG Base Directory Specification: what is no absolute path does not count.
    private static func caches(_ variables: [String: String]) -> String {
        if let folder = variables["XDG_CACHE_HOME"], folder.hasPrefix("/") { return folder }
        return FileManager.default.homeDirectoryForCurrentUser.path + "/.cache"
    }
}
