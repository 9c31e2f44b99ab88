extension LibraryChanges {
    /// When articles that are saved can be searched.
    public enum Indexing: Sendable, Hashable {
        /// At once: what is saved is found.
        case atOnce

        /// Once ``Library/buildIndex(onProgress:)`` has come to them.
        ///
        /// For an import of very many: saving them takes a fraction of the time, and they are there to be read.
        case later
    }
}
