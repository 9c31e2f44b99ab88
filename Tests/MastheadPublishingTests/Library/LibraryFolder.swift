import Foundation
import MastheadPublishing

/// A folder of a test's own, with a library in it; it goes with the test.
final class LibraryFolder: Sendable {
    let parent: URL

    init() throws {
        parent = FileManager.default.temporaryDirectory.appending(path: "masthead-library-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: parent)
    }

    /// Where the library is.
    var directory: URL { parent.appending(path: "library") }

    func open() async throws(LibraryError) -> Library {
        try await Library(directory: directory)
    }

    /// The names of the files of assets.
    var fileNames: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory.appending(path: "files").path)) ?? []
    }

    /// Makes a file to hand over.
    func makeFile(_ name: String, _ text: String = "x") throws -> URL {
        let url = parent.appending(path: name)
        try Data(text.utf8).write(to: url)
        return url
    }
}

/// A date that many seconds after another.
func day(_ number: Double) -> Date {
    Date(timeIntervalSince1970: 1_767_225_600 + number * 86_400)
}
