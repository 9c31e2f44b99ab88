import Foundation

/// The thread sanitizer keeps a shadow of all that was ever touched, which says nothing about what is tested.
var isThreadSanitized: Bool { dlsym(nil, "__tsan_init") != nil }

/// What of this process is in memory now.
func residentBytes() throws -> Int {
    let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * 4096
}
