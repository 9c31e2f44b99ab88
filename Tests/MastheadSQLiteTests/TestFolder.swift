import FoundationEssentials

/// A folder of a test's own, removed with this object.
final class TestFolder: Sendable {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "masthead-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file in it.
    func path(_ name: String = "test.db") -> String {
        url.appending(path: name).path(percentEncoded: false)
    }

    /// What a file holds; `nil` if there is none.
    func content(_ name: String = "test.db") -> Data? {
        FileManager.default.contents(atPath: path(name))
    }

    /// The names of all files, in order.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: url.path(percentEncoded: false))) ?? []).sorted()
    }
}
