#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

extension DatabaseFile {
    /// Moves the file aside, with those beside it, to the first free name of the form `NAME.damaged-N`.
    ///
    /// Of those that were moved earlier, the first stays, since it holds what there was before anything went wrong; when
    /// there are too many, the second oldest goes.
    ///
    /// - Parameters:
    ///   - identity: The file that is meant.
    ///   - limit: How many may be kept, this one included; at least 2.
    /// - Returns: Where it is now; `nil` if another file has taken its place, since another process was faster.
    /// - Throws: What the system refused.
    func moveAside(_ identity: Identity, limit: Int) throws(DatabaseError) -> Quarantine? {
        // One process at a time; the lock ends with the descriptor.
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw .system(errno) }
        defer { close(directory) }
        while flock(directory, LOCK_EX) != 0 {
            guard errno == EINTR else { throw .system(errno) }
        }
        guard self.identity == identity else { return nil }
        let numbers = quarantined
        let target = DatabaseFile(path: "\(path).damaged-\((numbers.last ?? 0) + 1)")
        // The log before the file: as long as the file is there, it is found damaged again.
        for (from, to) in zip(companions + [path], target.companions + [target.path]) where rename(from, to) != 0 {
            guard errno == ENOENT, from != path else { throw .system(errno) }
        }
        fsync(directory)
        var removed: [String] = []
        for number in numbers.dropFirst().prefix(max(0, numbers.count + 1 - max(limit, 2))) {
            let old = DatabaseFile(path: "\(path).damaged-\(number)")
            try old.remove()
            removed.append(old.path)
        }
        return Quarantine(path: target.path, removed: removed)
    }

    /// The numbers of those that were moved aside, ascending.
    private var quarantined: [Int] {
        let prefix = name + ".damaged-"
        var numbers: [Int] = []
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let found = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if found.hasPrefix(prefix), let number = Int(found.dropFirst(prefix.count)) { numbers.append(number) }
        }
        return numbers.sorted()
    }
}
