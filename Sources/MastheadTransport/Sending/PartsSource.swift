import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Bytes and stretches of files, one after the other, with one file open at a time.
///
/// Reading a file may block, so this runs on the loop that does nothing but files.
final class PartsSource: BodySource {
    private var parts: ArraySlice<BodyPart>
    /// How much of the first part was read.
    private var offset = 0
    private var file: OpenFile?

    init(_ parts: [BodyPart]) {
        self.parts = parts[...]
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> BodyReading {
        while let part = parts.first {
            let wanted = min(buffer.count, part.length - offset)
            guard wanted > 0 else {
                parts.removeFirst()
                offset = 0
                file = nil
                continue
            }
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
            let count: Int
            switch part {
            case .data(let data): count = Self.copy(data, from: offset, into: piece)
            case .file(let path, let start, _):
                count = try opened(path).read(into: piece, at: start + offset)
            }
            offset += count
            return .bytes(count)
        }
        return .end
    }

    private func opened(_ path: String) throws(TransportError) -> OpenFile {
        if let file { return file }
        let opened = try OpenFile(reading: path)
        file = opened
        return opened
    }

    private static func copy(_ data: Data, from offset: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let start = data.startIndex + offset
        return data.copyBytes(to: buffer, from: start..<start + buffer.count)
    }
}

/// A file that is open for reading, closed with this object.
private final class OpenFile {
    private let descriptor: Int32
    private let name: String

    init(reading path: String) throws(TransportError) {
        name = path.split(separator: "/").last.map(String.init) ?? path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .file("\(name) cannot be opened: \(String(cString: strerror(errno)))") }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Reads at least one byte.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(TransportError) -> Int {
        while true {
            let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
            if count > 0 { return count }
            // Its length was promised to the server: there is no honest way on.
            if count == 0 { throw .file("\(name) became shorter while it was sent") }
            if errno != EINTR { throw .file("\(name) cannot be read: \(String(cString: strerror(errno)))") }
        }
    }
}
