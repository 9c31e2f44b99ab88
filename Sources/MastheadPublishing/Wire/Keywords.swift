/// Words to find something by, as the wire has them: an array of strings, some servers with numbers among them, or one
/// string with commas between them.
struct Keywords: Decodable {
    let words: [String]

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            words = text.split(separator: ",").map(Self.trimmed).filter { !$0.isEmpty }
        } else {
            words = try container.decode([Word].self).map(\.text)
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0.isWhitespace }
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...end])
    }

    private struct Word: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self.text = text
            } else if let number = try? container.decode(Int64.self) {
                text = String(number)
            } else if let number = try? container.decode(Double.self) {
                text = String(number)
            } else {
                throw DecodingError.typeMismatch(
                    String.self,
                    .init(codingPath: decoder.codingPath, debugDescription: "Expected a string or a number.")
                )
            }
        }
    }
}
