import FoundationEssentials

/// What is to be kept.
struct NewEntry: Sendable {
    let key: EntryKey
    var record: CacheRecord
    let body: Data
    var tags: Set<String> = []

    /// The answers besides that of its place whose tags it takes over.
    var inherited: [EntryPlace] = []

    /// The model's type, by which it is found together with others; for an answer what it was decoded to.
    var type: Any.Type?

    /// The head of an answer; `nil` for a model.
    var answer: StoredAnswer?

    /// The decoded value with its type; `nil` if nothing was decoded yet.
    var value: (type: ObjectIdentifier, value: any Sendable)?

    /// What memory knows of the key from now on.
    ///
    /// - Parameters:
    ///   - slot: What memory knew; `nil` for nothing.
    ///   - known: What the disk is known to have, if memory knew nothing.
    /// - Returns: The slot, which must stay until the disk has this entry.
    func slot(after slot: MemorySlot?, known: [KeptAnswer]) -> MemorySlot {
        var candidates = slot?.candidates ?? known.map { .init(record: $0.record, answer: $0.answer) }
        candidates.removeAll { $0.record.variant == record.variant }
        let values = value.map { [$0] } ?? []
        // What reads an answer may want another type than the one it was decoded to.
        candidates.append(
            .init(record: record, answer: answer, values: values, tags: tags, body: answer == nil ? nil : body)
        )
        return MemorySlot(
            candidates: candidates,
            isComplete: slot?.isComplete ?? true,
            pins: (slot?.pins ?? 0) + 1
        )
    }
}
