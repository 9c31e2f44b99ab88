public import Foundation

/// The media files, as a content network serves them: to anyone, and to nobody who shows a secret.
public struct MediaServer: Sendable {
    private let folder: URL
    private let peal: Data

    /// Makes a server for the files of a folder, and for the long peal of its bell.
    public init(folder: URL) {
        self.folder = folder
        peal = Peal.wave(of: (try? Data(contentsOf: folder.appending(path: "bell.wav"))) ?? Data())
    }

    /// Whether a request bears what must never reach a media host.
    public static func bearsSecret(_ request: ServerRequest) -> Bool {
        request.authorization != nil || request.previewApp != nil
    }

    /// Answers one request.
    public func answer(_ request: ServerRequest) -> Answer {
        if Self.bearsSecret(request) {
            return .refusal(400, "Bad Request", "A media host must not be shown the client key.", code: "leak")
        }
        guard request.method == "GET" || request.method == "HEAD" else {
            return .refusal(405, "Method Not Allowed", "Media are read only.", code: "method")
        }
        guard request.segments.count == 1, let name = request.segments.first, !name.hasPrefix("."),
            !name.contains("/"), let body = body(of: name)
        else {
            return .refusal(404, "Not Found", "No such file.", code: "unknown")
        }
        return part(of: body, named: name, for: request)
    }

    private func body(of name: String) -> Data? {
        name == "peal.wav" && !peal.isEmpty ? peal : try? Data(contentsOf: folder.appending(path: name))
    }

    /// The whole, or what of it is asked for from an offset on, of the same state.
    private func part(of body: Data, named name: String, for request: ServerRequest) -> Answer {
        let tag = tag(of: body, named: name)
        let type = Self.contentType(of: name)
        let fields = [("Accept-Ranges", "bytes"), ("ETag", tag)]
        guard request.method == "GET", let range = request.range, range.hasPrefix("bytes="), range.hasSuffix("-"),
            let start = Int(range.dropFirst(6).dropLast()), start >= 0, request.ifRange.map({ $0 == tag }) ?? true
        else {
            return Answer(contentType: type, body: body, fields: fields)
        }
        guard start < body.count else {
            let size = ("Content-Range", "bytes */\(body.count)")
            return Answer(status: 416, contentType: type, body: Data(), fields: fields + [size])
        }
        return Answer(
            status: 206,
            contentType: type,
            body: body.dropFirst(start),
            fields: fields + [("Content-Range", "bytes \(start)-\(body.count - 1)/\(body.count)")]
        )
    }

    /// A strong tag: another one whenever the file was written anew.
    private func tag(of body: Data, named name: String) -> String {
        let file = folder.appending(path: name == "peal.wav" ? "bell.wav" : name)
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        let date = (attributes?[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
        return "\"\(body.count)-\(date.bitPattern)\""
    }

    private static func contentType(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "png": "image/png"
        case "svg": "image/svg+xml"
        case "wav": "audio/wav"
        default: "application/octet-stream"
        }
    }
}
