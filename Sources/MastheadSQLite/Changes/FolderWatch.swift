/// A wish to know what happens to some files of a folder; it ends with this object.
final class FolderWatch: Sendable {
    enum Event: Sendable {
        /// One of the files was written, made, moved or removed.
        case touched
        /// The folder itself was moved or removed, and nothing more comes.
        case gone
    }

    private let id: Int

    /// Watches files.
    ///
    /// - Parameters:
    ///   - folder: Where they are, or are to be.
    ///   - names: Their names.
    ///   - onEvent: Called on a thread that all watches share: it must neither wait nor take long.
    /// - Throws: What the system refused.
    init(folder: String, names: Set<String>, onEvent: @escaping @Sendable (Event) -> Void) throws(DatabaseError) {
        id = try FolderWatcher.shared.add(folder: folder, names: names, onEvent: onEvent)
    }

    /// Says whether what is written to the files need be told; once it need again, it is told that something may have been.
    func setQuiet(_ isQuiet: Bool) {
        FolderWatcher.shared.setQuiet(id, isQuiet)
    }

    deinit {
        FolderWatcher.shared.remove(id)
    }
}
