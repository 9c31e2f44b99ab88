import FoundationEssentials
import MastheadLock
import MastheadNetworking

/// The recorded answers of a folder.
final class AnswerFolder: Sendable {
    private let folder: String
    /// File names by their name without extension.
    private let files: [String: String]
    /// How often each name has been asked for, as far as there are files for it.
    private let uses = Lock<[String: Int]>([:])

    init(_ folder: String) throws {
        self.folder = folder
        var files: [String: String] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
            guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { continue }
            files[String(file[..<dot])] = file
        }
        self.files = files
    }

    func answer(_ name: AnswerName) throws(RepositoryError) -> StubExecutor.Answer {
        guard let found = name.lookups.first(where: { files[$0] != nil }), let first = files[found] else {
            throw .customError(MissingAnswer(request: name.request, names: name.names, folder: folder))
        }
        let use = uses.withLock { uses in
            let next = uses[found, default: 0] + 1
            if next == 1 || files["\(found)~\(next)"] != nil { uses[found] = next }
            return uses[found, default: 1]
        }
        let file = use > 1 ? files["\(found)~\(use)"] ?? first : first
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: folder).appending(path: file))
        } catch {
            throw .customError(UnusableAnswer(file: file, reason: "cannot be read: \(error)"))
        }
        do throws(UnusableAnswer) {
            return try RecordedAnswer.parse(data, file: file)
        } catch {
            throw .customError(error)
        }
    }
}
