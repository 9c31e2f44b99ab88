public import Foundation

/// The media files, as a content network serves them: to anyone, and to nobody who shows a secret.
public struct MediaServer: Sendable {
    private let folder: URL

    /// Makes a server for the files of a folder.
    public init(folder: URL) {
        self.folder = folder
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
            !name.contains("/"), let body = try? Data(contentsOf: folder.appending(path: name))
        else {
            return .refusal(404, "Not Found", "No such file.", code: "unknown")
        }
        return Answer(contentType: Self.contentType(of: name), body: body)
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
