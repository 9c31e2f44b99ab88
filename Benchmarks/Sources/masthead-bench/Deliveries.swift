import BenchmarkSide
import Foundation

/// The big files that came through: compared, byte for byte, with what was sent, then removed.
///
/// Outside of every measurement; a side that loses or garbles a byte has no result.
struct Deliveries {
    private static let lineEnd = Data("\r\n".utf8)

    private let sent: String

    /// Looks at what came of a file.
    init(of sent: String) {
        self.sent = sent
    }

    /// Takes the files whose names begin with `prefix`, which must be so many and equal to what was sent.
    func takeFiles(named prefix: String, count: Int) throws(BenchError) {
        let expected = try Self.contents(of: sent)
        for number in 0..<count {
            let path = "\(prefix).\(number)"
            guard try Self.contents(of: path) == expected else { throw BenchError("\(path): not what was sent") }
            try Self.remove(path)
        }
    }

    /// Takes the bodies that a server kept in `folder`, each of which must be the form, whole.
    func takeForms(in folder: String, count: Int) throws(BenchError) {
        let expected = try Self.contents(of: sent)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard names.count == count else { throw BenchError("\(names.count) bodies came in place of \(count)") }
        for name in names {
            try Self.check(form: Self.contents(of: "\(folder)/\(name)"), file: expected)
            try Self.remove("\(folder)/\(name)")
        }
    }

    /// Reads a form as RFC 7578 and RFC 2046 have it; the file's length is known, so its bytes aren't searched.
    private static func check(form: Data, file: Data) throws(BenchError) {
        guard let firstLine = form.range(of: lineEnd) else { throw BenchError("a form without a line") }
        let delimiter = lineEnd + form[..<firstLine.lowerBound]
        var rest = form[firstLine.upperBound...]
        var fields: [String: String] = [:]
        var hasFile = false
        while true {
            guard let headEnd = rest.range(of: lineEnd + lineEnd) else { throw BenchError("a part without a head") }
            let head = String(decoding: rest[..<headEnd.lowerBound], as: UTF8.self)
            rest = rest[headEnd.upperBound...]
            if head.contains("filename=\"issue.bin\"") {
                hasFile = rest.prefix(file.count) == file
                rest = rest.dropFirst(file.count)
            } else {
                guard let name = head.firstMatch(of: #/ name="(\w+)"/#)?.1, let end = rest.range(of: delimiter) else {
                    throw BenchError("a part without a name or an end: \(head)")
                }
                fields[String(name)] = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
                rest = rest[end.lowerBound...]
            }
            guard rest.starts(with: delimiter) else { throw BenchError("a part without an end: \(head)") }
            rest = rest.dropFirst(delimiter.count)
            if rest == Data("--".utf8) + lineEnd { break }
            guard rest.starts(with: lineEnd) else { throw BenchError("a delimiter without an end") }
            rest = rest.dropFirst(lineEnd.count)
        }
        let expected = Dictionary(uniqueKeysWithValues: Workload.formFields)
        guard hasFile, fields == expected else { throw BenchError("another form came: file \(hasFile), \(fields)") }
    }

    private static func contents(of path: String) throws(BenchError) -> Data {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        } catch {
            throw BenchError("\(path): \(error)")
        }
    }

    private static func remove(_ path: String) throws(BenchError) {
        guard unlink(path) == 0 else { throw BenchError("\(path): \(String(cString: strerror(errno)))") }
    }
}
