/// How a database is opened.
package struct DatabaseOptions: Sendable {
    /// When the disk is asked to have kept what was committed.
    package enum Durability: String, Sendable {
        /// Never: the system's crash may damage the file. For what can be made again.
        case off = "OFF"
        /// At checkpoints: the system's crash may take the last commits away, and nothing else.
        case normal = "NORMAL"
        /// At each commit.
        case full = "FULL"
    }

    package var durability = Durability.normal
    /// How many connections read beside the one that writes.
    package var readerLimit = 4
    /// The size of the pages of a new file, in bytes.
    ///
    /// Rows with bodies of some KB pack better on 8 or 16 KB.
    package var pageSize = 4096
    /// How much of the file each connection keeps in memory, in KiB.
    package var cacheKiB = 2048
    /// How much of the file is mapped into memory instead of being read, in bytes.
    ///
    /// None by default: a file that somebody cuts off while it is mapped ends the process.
    package var mappedBytes = 0
    /// How long another connection or process is waited for.
    package var patience = Duration.seconds(5)
    /// How many jobs may wait to be written.
    package var queueLimit = 10_000
    /// How many jobs one transaction takes together.
    package var groupLimit = 500
    /// The pages in the write-ahead log from which on they are moved into the file.
    package var checkpointPages = 1000
    /// The size to which the write-ahead log is cut once all of it has been moved, in bytes.
    package var journalBytes = 4 << 20
    /// Whether deleted content is overwritten with zeros.
    package var erasesDeleted = false
    /// How long a thread stays when there is nothing to do.
    package var idleTime = Duration.seconds(2)
    /// What is done before the connection that writes is opened, each time, on its thread: making the folder, for example.
    package var whenOpening: (@Sendable () throws(DatabaseError) -> Void)?

    package init() {}
}
