import FoundationEssentials
import MastheadNetworking

/// An answer as a file: status line, header fields, an empty line, the body.
enum RecordedAnswer {
    /// What tells how a body came over the wire, and says nothing about a body in a file.
    private static let framing: Set<String> = [
        "connection", "content-encoding", "content-length", "keep-alive", "trailer", "transfer-encoding",
    ]

    // MARK: Writing

    /// The answer without what is known to be secret.
    static func withoutSecrets(_ response: HTTPResponse, _ configuration: NetworkingConfiguration) -> HTTPResponse {
        let redaction = Redaction(configuration)
        var response = response
        response.headers = HTTPHeaders(
            response.headers.fields.filter { !framing.contains($0.name.lowercased()) }
                .map { HTTPHeaders.Field(name: $0.name, value: redaction.value(of: $0)) }
        )
        if let value = try? JSONDecoder().decode(JSONValue.self, from: response.body) {
            let safe = mask(value, redaction)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            // One without a secret stays as it came, to the byte.
            if safe != value, let body = try? encoder.encode(safe) { response.body = body }
        }
        if let key = configuration.clientKey?.value, !key.isEmpty {
            response.body = replacing(Data(key.utf8), with: Data(Redaction.mark.utf8), in: response.body)
        }
        return response
    }

    private static func replacing(_ secret: Data, with mark: Data, in body: Data) -> Data {
        var result = Data()
        var rest = body[...]
        while let range = rest.firstRange(of: secret) {
            result += rest[..<range.lowerBound] + mark
            rest = rest[range.upperBound...]
        }
        return result + rest
    }

    private static func mask(_ value: JSONValue, _ redaction: Redaction) -> JSONValue {
        switch value {
        case .string(let text): redaction.isSecret(value: text[...]) ? .string(Redaction.mark) : value
        case .array(let elements): .array(elements.map { mask($0, redaction) })
        case .object(let members):
            .object(
                Dictionary(
                    uniqueKeysWithValues: members.map { name, value in
                        (name, redaction.isSecret(name: name) ? hidden(value) : mask(value, redaction))
                    }
                )
            )
        default: value
        }
    }

    /// What stands for a secret: of the same kind, so that the model still decodes.
    private static func hidden(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string: .string(Redaction.mark)
        case .int: .int(0)
        case .double: .double(0)
        case .number: .number("0")
        case .array(let elements): .array(elements.map(hidden))
        case .object(let members): .object(members.mapValues(hidden))
        case .bool, .null: value
        }
    }

    /// The file's bytes.
    static func bytes(of response: HTTPResponse) -> Data {
        var head = "HTTP/1.1 \(response.status)\r\n"
        for field in response.headers.fields { head += "\(field.name): \(field.value)\r\n" }
        return Data((head + "\r\n").utf8) + response.body
    }

    // MARK: Reading

    /// The answer that a file holds, by its extension.
    static func parse(_ data: Data, file: String) throws(UnusableAnswer) -> StubExecutor.Answer {
        let suffix = file.split(separator: ".").last?.lowercased() ?? ""
        guard suffix == "http" else {
            return StubExecutor.Answer(headers: ["Content-Type": contentType(suffix)], body: data)
        }
        // A file written by hand ends its lines as the editor does.
        let ends = [Data("\r\n\r\n".utf8), Data("\n\n".utf8)].compactMap { data.firstRange(of: $0) }
        guard let end = ends.min(by: { $0.lowerBound < $1.lowerBound }) else {
            throw UnusableAnswer(file: file, reason: "no empty line ends its head")
        }
        let lines = String(decoding: data[..<end.lowerBound], as: UTF8.self).split(whereSeparator: \.isNewline)
        let first = (lines.first ?? "").split(separator: " ")
        guard first.count >= 2, first[0].hasPrefix("HTTP/"), let status = Int(first[1]) else {
            throw UnusableAnswer(file: file, reason: "its first line is no status line")
        }
        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else {
                throw UnusableAnswer(file: file, reason: "a line of its head is no header field")
            }
            let value = line[line.index(after: colon)...].trimming { $0 == " " || $0 == "\t" }
            headers.append(String(value), for: String(line[..<colon]))
        }
        return StubExecutor.Answer(status: status, headers: headers, body: Data(data[end.upperBound...]))
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
