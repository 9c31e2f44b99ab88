import Foundation

/// A folder for one test, with these files.
final class Folder: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "masthead-\(UUID().uuidString)").path

    init(_ files: [String: String] = [:]) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        for (name, text) in files { try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The names of the files that are there now.
    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    func text(of name: String) throws -> String {
        try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    }
}
