import FoundationEssentials

/// An entry as it lies in the file.
struct StoredRow: Sendable {
    let record: CacheRecord

    /// What stands for its key in the file.
    let key: [UInt8]

    /// The payload; `nil` if it lies in several pieces, see ``CacheRecord/pieces``.
    let body: Data?
}
