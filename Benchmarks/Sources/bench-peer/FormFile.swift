import BenchmarkSide
import Foundation
import FoundationNetworking

/// A form with a file in it, written down as the body that a server reads; gone with this object.
final class FormFile: Sendable {
    private static let boundary = "masthead-bench-7d1c5a"

    /// Where it stands.
    let url: URL

    /// Writes it into the temporary folder, a piece at a time.
    init(of path: String) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("form-\(UUID().uuidString)")
        var head = ""
        for (name, value) in Workload.formFields {
            head += "--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        head += "--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"issue.bin\"\r\n"
        head += "Content-Type: application/octet-stream\r\n\r\n"
        try Data(head.utf8).write(to: url)
        let source = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        let form = try FileHandle(forWritingTo: url)
        try form.seekToEnd()
        while let piece = try source.read(upToCount: 1 << 20), !piece.isEmpty { try form.write(contentsOf: piece) }
        try form.write(contentsOf: Data("\r\n--\(Self.boundary)--\r\n".utf8))
        try form.close()
        try source.close()
    }

    /// The request that sends it.
    func request(to request: URLRequest) -> URLRequest {
        var request = request
        request.httpMethod = "POST"
        request.setValue("multipart/form-data; boundary=\(Self.boundary)", forHTTPHeaderField: "Content-Type")
        return request
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
