import Foundation

/// Runs the `openssl` tool, and says what it wrote.
func openssl(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let words = (["/usr/bin/openssl"] + arguments).map { "'" + $0.replacing("'", with: #"'\''"#) + "'" }
    return try shell(words.joined(separator: " ") + " 2>&1")
}

/// Runs a command of the shell's, and says what it wrote.
///
/// Foundation's `Process` may crash the tests: while it starts a program it reads a listing of the open files beyond its end,
/// if there are many.
func shell(_ command: String) throws -> (status: Int32, output: String) {
    guard let pipe = popen(command, "r") else { throw POSIXError(.EAGAIN) }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
        let count = fread(&buffer, 1, buffer.count, pipe)
        if count == 0 { break }
        output += buffer[..<count]
    }
    return (pclose(pipe) >> 8 & 0xFF, String(decoding: output, as: UTF8.self))
}

/// A folder for one test, with these files.
final class Folder: Sendable {
    private let path = FileManager.default.temporaryDirectory.appending(path: "masthead-\(UUID().uuidString)").path

    init(_ files: [String: String]) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        for (name, text) in files { try text.write(toFile: file(name), atomically: false, encoding: .utf8) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }
}
