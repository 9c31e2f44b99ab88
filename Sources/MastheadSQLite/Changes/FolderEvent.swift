#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Something that the system tells of a folder.
struct FolderEvent {
    let folder: Int32
    let mask: UInt32
    /// The file it is about; empty for the folder itself.
    let name: String

    /// The folder is no longer there, or no longer where it was.
    var isEnd: Bool {
        mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED) != 0
    }

    /// More has happened than the system kept.
    var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }

    /// Reads what the system wrote: a head of 16 bytes, and a name with zeros at its end.
    static func all(in bytes: UnsafeRawBufferPointer) -> [FolderEvent] {
        var events: [FolderEvent] = []
        var start = 0
        while start + 16 <= bytes.count {
            let length = Int(bytes.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self))
            guard length <= bytes.count - start - 16 else { break }
            let name = bytes[(start + 16)..<(start + 16 + length)].prefix { $0 != 0 }
            events.append(
                FolderEvent(
                    folder: bytes.loadUnaligned(fromByteOffset: start, as: Int32.self),
                    mask: bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self),
                    name: String(decoding: name, as: UTF8.self)
                )
            )
            start += 16 + length
        }
        return events
    }
}
