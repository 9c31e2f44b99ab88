import FoundationEssentials

/// What is known of an entry besides its payload.
struct CacheRecord: Sendable, Hashable {
    /// Its row in the file; `nil` while it is not there yet.
    var row: Int64?

    /// Which payload it is: another number for each that was ever kept.
    var revision: Int64

    /// Which of the key's entries it is; empty for the only one.
    var variant: [UInt8] = []

    /// The version of the model's shape.
    var version = 0

    /// When it was kept.
    var stored: Date

    /// When it ends; `nil` for never, or if the head knows.
    var expires: Date?

    /// How many bytes the payload has.
    var size: Int

    /// How many further pieces the payload lies in; 0 if it is whole in one.
    var pieces = 0

    /// What else is known of it: an answer's status and fields.
    var head = Data()

    /// A number that no other payload has.
    static func newRevision() -> Int64 { .random(in: 1...Int64.max) }
}
