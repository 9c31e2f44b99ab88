import FoundationEssentials
import MastheadNetworking
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

@Suite("MultipartForm")
struct MultipartFormTests {
    @Test("lays its parts out in their order, files by their path, with the length they have together")
    func laysOut() throws {
        let file = try SparseFile(containing: "chapter one")
        var form: MultipartForm = [
            .field("title", "Häfen\n"), .file("chapter", path: file.path, filename: "1.txt", contentType: "text/plain"),
            .data("note", Data("n".utf8), filename: "n.bin"),
        ]
        form.parts.append(.data("raw", Data("é".utf8), contentType: nil))
        let boundary = try #require(form.contentType.split(separator: "=").last)

        let layout = try MultipartLayout(form)

        let start = [
            "--\(boundary)", "Content-Disposition: form-data; name=\"title\"", "", "Häfen\n",
            "--\(boundary)", "Content-Disposition: form-data; name=\"chapter\"; filename=\"1.txt\"",
            "Content-Type: text/plain", "", "",
        ].joined(separator: "\r\n")
        let end = [
            "", "--\(boundary)", "Content-Disposition: form-data; name=\"note\"; filename=\"n.bin\"",
            "Content-Type: application/octet-stream", "", "n", "--\(boundary)",
            "Content-Disposition: form-data; name=\"raw\"", "", "é", "--\(boundary)--", "",
        ].joined(separator: "\r\n")
        let segments: [MultipartSegment] = [
            .bytes(Data(start.utf8)), .file(path: file.path, length: 11), .bytes(Data(end.utf8)),
        ]
        #expect(layout.segments == segments)
        #expect(layout.length == start.utf8.count + 11 + end.utf8.count)
    }

    @Test("keeps files of any size on the disk, and bytes in memory where they are")
    func keepsMemoryFlat() throws {
        let file = try SparseFile(length: 1 << 40)
        let empty = try SparseFile(length: 0)
        let data = Data(repeating: 7, count: 5000)

        let layout = try MultipartLayout([.file("a", path: file.path), .file("b", path: empty.path), .data("c", data)])

        try #require(layout.segments.count == 5)
        #expect(layout.segments[1] == .file(path: file.path, length: 1 << 40))
        #expect(layout.segments[3] == .bytes(data))
        let inMemory = layout.segments.map { if case .bytes(let data) = $0 { data.count } else { 0 } }.reduce(0, +)
        #expect(layout.length == 1 << 40 + inMemory)
    }

    @Test(
        "escapes a name as browsers do, and nothing more",
        arguments: [
            (#"a"b"#, "a%22b"), ("a\r\nb\rc\nd", "a%0D%0Ab%0Dc%0Ad"), ("é%22\\;'📰\t", "é%22\\;'📰\t"), ("", ""),
            ("x\"\r\nContent-Type: text/html\r\n\r\n", "x%22%0D%0AContent-Type: text/html%0D%0A%0D%0A"),
        ]
    )
    func escapes(name: String, expected: String) throws {
        let layout = try MultipartLayout([.data(name, Data(), filename: name, contentType: nil)])
        let names = "name=\"\(expected)\"; filename=\"\(expected)\""
        #expect(try Self.text(of: layout).contains("\r\nContent-Disposition: form-data; \(names)\r\n\r\n"))
    }

    @Test("sends a file under the last component of its path, or the name it is given")
    func namesFiles() throws {
        let file = try SparseFile(containing: "")
        let form: MultipartForm = [.file("a", path: file.path), .file("b", path: file.path, filename: "b")]
        let text = try Self.text(of: MultipartLayout(form))
        let name = try #require(file.path.split(separator: "/").last)
        #expect(text.contains("name=\"a\"; filename=\"\(name)\"\r\nContent-Type: application/octet-stream\r\n"))
        #expect(text.contains("name=\"b\"; filename=\"b\"\r\n"))
    }

    @Test("has a boundary that no one can foresee, the same each time it is laid out")
    func makesBoundaries() throws {
        var (ones, zeros) = ([0, 0] as [UInt64], [0, 0] as [UInt64])
        for _ in 0..<100 {
            let type = MultipartForm().contentType
            // A token of at most 70 characters (RFC 2046, section 5.1.1).
            #expect(type.hasPrefix("multipart/form-data; boundary=masthead-") && type.utf8.count <= 30 + 70)
            let digits = Array(type.utf8.suffix(32))
            for (index, half) in [digits.prefix(16), digits.suffix(16)].enumerated() {
                let word = try #require(UInt64(String(decoding: half, as: UTF8.self), radix: 16))
                ones[index] |= word
                zeros[index] |= ~word
            }
        }
        // Each of the 128 bits has been either.
        #expect(ones == [.max, .max] && zeros == [.max, .max])
        let form: MultipartForm = [.field("a", "b")]
        #expect(try MultipartLayout(form) == MultipartLayout(form))
        #expect(try Self.text(of: MultipartLayout([])).hasSuffix("--\r\n"))
    }

    @Test("refuses what cannot be sent, before anything is")
    func refuses() throws {
        let missing = "/none-\(UInt64.random(in: 0 ... .max))/chapter.txt"
        let file = try SparseFile(containing: "")
        for (part, reason) in [
            (.file("a", path: missing), "chapter.txt: no such file"),
            (.file("a", path: "/"), "/: no file"), (.file("a", path: "/dev/null"), "null: no file"),
            (.file("a", path: file.path + "/x"), "x: cannot be opened"), (.file("a", path: ""), ": no such file"),
            (.file("a", path: file.path + "\0x", filename: "x"), "the path of a file holds a NUL"),
            (.field("a\0", "b"), "a name in the form holds a NUL"),
            (.data("a", Data(), filename: "b\0"), "a name in the form holds a NUL"),
            (
                .data("a", Data(), contentType: "text/plain\r\nX: y"),
                "the value of header field Content-Type holds a line break or a control character"
            ),
        ] as [(MultipartForm.Part, String)] {
            let error = #expect(throws: RepositoryError.self) { try MultipartLayout([part]) }
            guard case .invalidRequest(reason) = error else {
                Issue.record("expected \(reason), got \(String(describing: error))")
                continue
            }
        }
    }

    @Test("refuses files that no body could hold together", .enabled(if: access("/dev/shm", W_OK) == 0))
    func refusesTooMuch() throws {
        // Only a file system in memory takes a file of this size.
        let file = try SparseFile(length: 1 << 62, in: "/dev/shm")
        #expect(throws: RepositoryError.self) {
            try MultipartLayout([.file("a", path: file.path), .file("b", path: file.path)])
        }
    }

    @Test("shows its names and none of its content")
    func hidesContent() {
        let form: MultipartForm = [.field("password", "s3cret"), .data("key", Data("s3cret".utf8))]
        var dumped = ""
        dump(form, to: &dumped)
        for text in ["\(form)", String(reflecting: form), dumped, "\(form.parts)"] {
            #expect(text.contains("password") && !text.contains("s3cret"))
            #expect(!text.contains(Data("s3cret".utf8).base64EncodedString()) && !text.contains("115"))
        }
    }

    private static func text(of layout: MultipartLayout) throws -> String {
        var bytes = Data()
        for case .bytes(let data) in layout.segments { bytes.append(data) }
        return try #require(String(validating: bytes, as: UTF8.self))
    }
}

/// A file that costs no room, until its end of life.
final class SparseFile {
    let path: String

    init(length: Int, in folder: String = FileManager.default.temporaryDirectory.path(percentEncoded: false)) throws {
        path = folder + "/sparse-\(UInt64.random(in: 0 ... .max))"
        try Data().write(to: URL(filePath: path))
        try #require(truncate(path, length) == 0)
    }

    init(containing text: String) throws {
        path = FileManager.default.temporaryDirectory.path(percentEncoded: false) + "/\(UInt64.random(in: 0 ... .max))"
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    deinit {
        unlink(path)
    }
}
