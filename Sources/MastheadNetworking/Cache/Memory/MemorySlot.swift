import FoundationEssentials

/// What the memory tier knows of one key.
struct MemorySlot: Sendable {
    /// One entry of the key: a model has one, the answers to a request one for each variant.
    struct Candidate: Sendable {
        var record: CacheRecord

        /// The head of an answer; `nil` for a model.
        var answer: StoredAnswer?

        /// The decoded values, each with its type.
        var values: [(type: ObjectIdentifier, value: any Sendable)] = []

        /// The tags that an answer is known to have.
        var tags: Set<String> = []

        /// The payload, while it is not on disk yet.
        var body: Data?

        /// The value of a type, if it was decoded.
        func value(of type: Any.Type) -> (any Sendable)? {
            for (known, value) in values where known == ObjectIdentifier(type) { return value }
            return nil
        }

        /// The value of a type, if it was decoded.
        func value<Value>(_ type: Value.Type) -> Value? {
            // In two steps: nothing would pass for an optional value that is `nil`.
            guard let value = value(of: type) else { return nil }
            return value as? Value
        }
    }

    /// What is there; empty where it is known that nothing is.
    var candidates: [Candidate]

    /// Whether that is all that is kept under the key; what is not goes as soon as the disk knows of everything.
    var isComplete = true

    /// How many writes of it are not on disk yet.
    var pins = 0

    /// Whether it must stay: the disk does not know of it yet.
    var isPinned: Bool { pins > 0 }

    /// What it costs, in bytes: a decoded value is taken for as big as its payload.
    var cost: Int {
        candidates.reduce(256) { sum, candidate in
            sum + 256 + candidate.record.head.count + candidate.record.size
                * (candidate.values.count + (candidate.body == nil ? 0 : 1))
        }
    }
}
