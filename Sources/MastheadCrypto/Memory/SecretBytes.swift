import CMastheadOpenSSL

/// Bytes that are wiped before their memory is given back.
///
/// ```swift
/// let key = try SecretBytes.random(count: 32)
/// let sealed = try AESGCM.seal(plain, key: key, nonce: nonce)
/// ```
///
/// That holds for this memory and no copy of it, and not for a core dump, a swapped page or a process that was killed.
package final class SecretBytes: @unchecked Sendable {
    // Invariant of `@unchecked Sendable`: the memory is written while the object is made, and only read after that.
    private let memory: UnsafeMutableRawBufferPointer

    /// How many bytes there are.
    package var count: Int { memory.count }

    /// Makes room for so many bytes, all zero, and has them written.
    package init<Failure: Error>(
        count: Int,
        _ fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(0, count), alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        self.memory = memory
        try fill(memory)
    }

    /// Copies bytes; where they come from stays the caller's to wipe.
    package convenience init(_ bytes: some Collection<UInt8>) {
        self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    deinit {
        OPENSSL_cleanse(memory.baseAddress, memory.count)
        memory.deallocate()
    }

    /// Makes bytes that nobody can foretell.
    package static func random(count: Int) throws(CryptoError) -> SecretBytes {
        try SecretBytes(count: count) { (memory) throws(CryptoError) in
            guard count >= 0, count <= SecureRandom.maximumCount else {
                throw .invalidInput("\(count) is no count of random bytes: 0 to \(SecureRandom.maximumCount)")
            }
            guard count == 0 || RAND_bytes(memory.baseAddress, Int32(count)) == 1 else { throw .last("RAND_bytes") }
        }
    }

    /// Shows the bytes; nothing of them may be kept.
    package func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(memory))
    }

    /// Overwrites memory so that no compiler leaves it out.
    package static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
        OPENSSL_cleanse(memory.baseAddress, memory.count)
    }
}

extension SecretBytes: CustomStringConvertible, CustomReflectable {
    /// How many there are.
    package var description: String { "[\(count) secret bytes]" }

    /// What a dump or a debugger shows: the same.
    package var customMirror: Mirror { Mirror(reflecting: description) }
}
