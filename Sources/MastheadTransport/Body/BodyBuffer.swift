import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The bytes of a body as they arrive: one allocation of the announced length, or one that doubles.
struct BodyBuffer: ~Copyable {
    private var bytes: UnsafeMutableRawPointer?
    private var capacity = 0
    private(set) var count = 0

    deinit {
        free(bytes)
    }

    /// Appends bytes; `expected` sizes the first allocation.
    ///
    /// - Returns: Whether there was memory for them.
    mutating func append(_ source: UnsafeRawPointer, count added: Int, expected: Int, limit: Int) -> Bool {
        if count + added > capacity {
            let wanted = capacity == 0 ? max(expected, added) : max(capacity * 2, count + added)
            // One more than the limit is never needed: the caller refuses what is beyond it.
            guard let grown = realloc(bytes, max(1, min(wanted, max(limit, count + added)))) else { return false }
            bytes = grown
            capacity = min(wanted, max(limit, count + added))
        }
        bytes?.advanced(by: count).copyMemory(from: source, byteCount: added)
        count += added
        return true
    }

    /// Hands the bytes over without copying and leaves the buffer empty.
    mutating func takeData() -> Data {
        guard let bytes, count > 0 else { return Data() }
        let wasteful = capacity > 4096 && count < capacity / 2
        let owned = wasteful ? realloc(bytes, count) ?? bytes : bytes
        let data = Data(bytesNoCopy: owned, count: count, deallocator: .free)
        self.bytes = nil
        capacity = 0
        count = 0
        return data
    }

    /// Forgets the bytes and keeps nothing.
    mutating func removeAll() {
        free(bytes)
        bytes = nil
        capacity = 0
        count = 0
    }
}
