import FoundationEssentials

/// An entry as it lies in the file.
struct StoredRow: Sendable {
    let record: CacheRecord

    /// What stands for its key in the file, if it was sealed there; empty otherwise: only who opens it needs that.
    let key: [UInt8]

    /// The payload; `nil` if it lies in several pieces, see ``CacheRecord/pieces``.
    let body: Data?
}
