import FoundationEssentials
import MastheadLock
import MastheadNetworking

/// The recorded answers of a folder.
final class AnswerFolder: Sendable {
    /// A file that is no answer, though its name says so.
    struct Unreadable: CustomRepositoryError, CustomStringConvertible {
        let file: String
        let reason: String

        var description: String { "the recorded answer \(file) cannot be read: \(reason)" }
    }

    private let folder: String
    /// File names by their name without extension.
    private let files: [String: String]
    /// How often each name has been asked for.
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
        guard let found = name.names.first(where: { files[$0] != nil }), let first = files[found] else {
            throw .customError(MissingAnswer(request: name.request, names: name.names, folder: folder))
        }
        let use = uses.withLock { uses in
            let use = uses[found, default: 0] + 1
            // Counted only as far as there are files for it.
            if use == 1 || files["\(found)~\(use)"] != nil { uses[found] = use }
            return uses[found, default: 1]
        }
        let file = use > 1 ? files["\(found)~\(use)"] ?? first : first
        do {
            let data = try Data(contentsOf: URL(filePath: folder).appending(path: file))
            return try Self.parse(data, file: file)
        } catch let error as Unreadable {
            throw .customError(error)
        } catch {
            throw .customError(Unreadable(file: file, reason: "\(error)"))
        }
    }

    private static func parse(_ data: Data, file: String) throws -> StubExecutor.Answer {
        let suffix = file.split(separator: ".").last.map { $0.lowercased() }
        guard suffix == "http" else {
            return StubExecutor.Answer(headers: ["Content-Type": contentType(suffix ?? "")], body: data)
        }
        // A file written by hand ends its lines as the editor does.
        let separators = [Data("\r\n\r\n".utf8), Data("\n\n".utf8)]
        guard let end = separators.compactMap({ data.firstRange(of: $0) }).min(by: { $0.lowerBound < $1.lowerBound })
        else {
            throw Unreadable(file: file, reason: "no empty line ends its head")
        }
        let lines = String(decoding: data[..<end.lowerBound], as: UTF8.self).split(whereSeparator: \.isNewline)
        let first = (lines.first ?? "").split(separator: " ")
        guard first.count >= 2, first[0].hasPrefix("HTTP/"), let status = Int(first[1]) else {
            throw Unreadable(file: file, reason: "its first line is no status line")
        }
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else {
                throw Unreadable(file: file, reason: "a line of its head is no header field")
            }
            headers.append(
                String(line[line.index(after: colon)...].trimming { $0 == " " || $0 == "\t" }),
                for: String(line[..<colon])
            )
        }
        return StubExecutor.Answer(status: status, headers: headers, body: data[end.upperBound...])
    }

    private static func contentType(_ suffix: String) -> String {
        switch suffix {
        case "json": "application/json"
        case "txt": "text/plain; charset=utf-8"
        case "html": "text/html; charset=utf-8"
        case "xml": "application/xml"
        case "png": "image/png"
        case "jpg", "jpeg": "image/jpeg"
        default: "application/octet-stream"
        }
    }
}
