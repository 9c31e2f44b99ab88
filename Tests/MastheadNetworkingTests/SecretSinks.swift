import FoundationEssentials
import MastheadLock
import MastheadNetworking

/// What an app itself could show, by the name of what showed it: secrets are looked for in it.
final class SecretSinks: NetworkObserver {
    private let collected = Lock<[(String, String)]>([])

    var texts: [(name: String, text: String)] { collected.withLock { $0 } }

    /// The texts of each name as one.
    var joined: [String: String] {
        Dictionary(grouping: texts, by: \.name).mapValues { $0.map(\.text).joined(separator: "\n") }
    }

    func add(_ name: String, _ text: String) {
        collected.withLock { $0.append((name, text)) }
    }

    /// Adds whatever can be made of a value without knowing it.
    func add(_ value: Any) {
        var text = "\(value) " + String(reflecting: value) + " "
        dump(value, to: &text)
        add("\(type(of: value))", text)
    }

    func observe(_ event: NetworkEvent) {
        add(event)
        if case .callFinished(let record) = event.kind { add(record) }
        if case .attemptFinished(let record) = event.kind {
            add(record)
            add(record.url)
            add(record.outcome)
        }
    }

    /// Where one of some secrets can be seen: as it is, in Base64 wherever it stands in a text, or as a list of bytes.
    func names(showing secret: String) -> [String] {
        let forms = Self.forms(of: secret)
        let bytes = Self.numbers(of: secret)
        return joined.filter { _, text in
            let lower = text.lowercased()
            return lower.contains(secret.lowercased()) || forms.contains(where: text.contains)
                || Self.numbers(in: text).contains(bytes)
        }.map(\.key)
    }

    /// A secret as it may stand in a text: as it is, and in Base64, whatever stands before and behind it.
    static func forms(of secret: String) -> [String] {
        let coded = (0..<3).map { count in
            // The first and the last letters depend on their neighbours.
            let text = String(repeating: "a", count: count) + secret
            return String(
                Data(text.utf8).base64EncodedString().dropFirst(count == 0 ? 0 : 4).prefix { $0 != "=" }.dropLast(2)
            )
        }
        return [secret] + coded
    }

    /// The numbers of bytes, as a dump lists them.
    private static func numbers(of text: String) -> String {
        text.utf8.map { "\($0)" }.joined(separator: " ")
    }

    /// All numbers of a text, one space between them.
    private static func numbers(in text: String) -> String {
        text.split { !("0"..."9" ~= $0) }.joined(separator: " ")
    }
}
