import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Makes a file longer, with nothing in it, or shorter.
enum FileHandleLength {
    static func set(_ length: Int, of path: String) throws {
        try #require(truncate(path, off_t(length)) == 0)
    }
}
