/// Where a connection keeps the texts that are bound to its statements, until each has run: SQLite reads them there, and
/// need not make room for each by itself.
///
/// Statements within statements put theirs after those of the outer one, and take them away before it ends.
final class BindingRoom {
    // Invariant: `used` bytes from the start are read by statements that have not ended.
    private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 32 << 10, alignment: 16)
    private(set) var used = 0

    deinit { bytes.deallocate() }

    /// Keeps a copy of bytes.
    ///
    /// - Returns: Where; `nil` if there is no room for them.
    func keep(_ text: UnsafeBufferPointer<UInt8>) -> UnsafePointer<CChar>? {
        guard text.count <= bytes.count - used, let start = bytes.baseAddress else { return nil }
        let place = start + used
        if let source = text.baseAddress { place.copyMemory(from: source, byteCount: text.count) }
        used += text.count
        return UnsafePointer(place.assumingMemoryBound(to: CChar.self))
    }

    /// Lets go of what was kept since so many bytes were used.
    func release(to mark: Int) {
        used = mark
    }
}
