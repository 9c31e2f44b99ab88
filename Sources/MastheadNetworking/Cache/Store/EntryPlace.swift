/// One entry of a key, as long as it has the payload that is meant.
struct EntryPlace: Sendable, Hashable {
    let key: EntryKey

    /// Which of the key's entries.
    let variant: [UInt8]

    /// Which payload; `nil` for whichever it has.
    var revision: Int64?
}
