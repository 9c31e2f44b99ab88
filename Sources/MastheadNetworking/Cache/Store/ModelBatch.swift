/// Models on their way to the file: their keys and payloads beside one another in one piece of memory, which the next
/// batch takes over.
package struct ModelBatch: Sendable {
    /// One of them.
    package struct Model: Sendable {
        package let revision: Int64
        /// Where what stands for its key lies.
        package let key: Range<Int>
        /// Where its payload lies.
        package let body: Range<Int>
    }

    package private(set) var models: [Model] = []
    package private(set) var bytes: [UInt8] = []
    private var numbers = RevisionNumbers()

    /// Puts a model to the others.
    ///
    /// - Parameters:
    ///   - key: Writes what stands for its key in the file.
    ///   - body: Writes its payload.
    /// - Throws: What they throw.
    package mutating func append(
        key: (inout [UInt8]) throws(CacheError) -> Void,
        body: (inout [UInt8]) throws(CacheError) -> Void
    ) throws(CacheError) {
        let start = bytes.count
        try key(&bytes)
        let middle = bytes.count
        try body(&bytes)
        models.append(Model(revision: numbers.next(), key: start..<middle, body: middle..<bytes.count))
    }

    /// Takes all out, and keeps the memory.
    mutating func empty() {
        models.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }
}
