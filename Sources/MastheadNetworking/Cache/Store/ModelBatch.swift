package import FoundationEssentials

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
    ///   - prefix: What its key begins with in the file.
    ///   - text: What its key goes on with.
    ///   - body: Its payload.
    package mutating func append(prefix: [UInt8], text: String = "", body: Data) {
        let start = bytes.count
        bytes += prefix
        bytes += text.utf8
        let middle = bytes.count
        body.withUnsafeBytes { bytes.append(contentsOf: $0) }
        models.append(Model(revision: numbers.next(), key: start..<middle, body: middle..<bytes.count))
    }

    /// Takes all out, and keeps the memory.
    mutating func empty() {
        models.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }
}
