import Glibc

/// A file of `/proc`, whose size isn't known before it is read.
enum KernelFile {
    /// The words of each line; none if there is no such file.
    static func words(of path: String) -> [[Substring]] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var lines: [[Substring]] = []
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let bytes = line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
            lines.append(String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\t" || $0 == "\n" })
        }
        return lines
    }
}
