import Foundation

/// A terminal of no device, on which a program's output looks as it does to a person.
struct PseudoTerminal {
    /// What is written to it can be read here.
    let output: FileHandle

    /// What a program writes to.
    let device: FileHandle

    init() throws {
        let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        guard descriptor >= 0 else { throw POSIXError(.ENXIO) }
        output = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // Linux's own calls: those of POSIX are not to be seen from Swift.
        var isLocked: CInt = 0
        let (setLock, openPeer): (UInt, UInt) = (0x4004_5431, 0x5441)
        guard ioctl(descriptor, setLock, &isLocked) == 0 else { throw POSIXError(.ENXIO) }
        let peer = ioctl(descriptor, openPeer, O_RDWR | O_NOCTTY)
        guard peer >= 0 else { throw POSIXError(.ENXIO) }
        device = FileHandle(fileDescriptor: peer, closeOnDealloc: true)
    }

    /// Reads to the end, on a thread of its own: until nobody has the device open.
    func text() async throws -> String {
        try device.close()
        return await withCheckedContinuation { [output] continuation in
            Thread.detachNewThread {
                var text: [UInt8] = []
                var piece = [UInt8](repeating: 0, count: 4096)
                // The end of a terminal is an error.
                while case let count = read(output.fileDescriptor, &piece, piece.count), count > 0 {
                    text += piece[..<count]
                }
                continuation.resume(returning: String(decoding: text, as: UTF8.self))
            }
        }
    }
}
