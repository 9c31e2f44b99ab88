/// Where a damaged file was moved.
package struct Quarantine: Sendable, Hashable {
    /// The file, with those that belonged to it beside it.
    package let path: String
    /// The files from earlier times that had to go to make room.
    package let removed: [String]

    package init(path: String, removed: [String]) {
        self.path = path
        self.removed = removed
    }
}
