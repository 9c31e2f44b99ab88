import Foundation
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

    /// Where a secret can be seen: as it is, in Base64 wherever it stands in a text, or as a list of bytes.
    func names(showing secret: String) -> [String] {
        let forms = Self.forms(of: secret)
        let (lower, bytes) = (secret.lowercased(), Self.numbers(of: secret))
        return haystacks().filter { _, haystack in
            haystack.lower.holds(lower) || forms.contains(where: haystack.text.holds) || haystack.numbers.holds(bytes)
        }.map(\.key)
    }

    /// What is looked through for every secret, made once for all of them.
    private func haystacks() -> [String: Haystack] {
        let (texts, made) = (texts, self.made.withLock { $0 })
        if let made, made.count == texts.count { return made.haystacks }
        let haystacks = joined.mapValues(Haystack.init)
        self.made.withLock { $0 = (texts.count, haystacks) }
        return haystacks
    }

    private let made = Lock<(count: Int, haystacks: [String: Haystack])?>(nil)

    /// One text, and what else of it is looked through.
    private struct Haystack: Sendable {
        let text: Data
        let lower: Data
        let numbers: Data

        init(_ text: String) {
            self.text = Data(text.utf8)
            lower = Data(text.lowercased().utf8)
            numbers = Data(SecretSinks.numbers(in: Array(text.utf8)))
        }
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
    private static func numbers(in text: [UInt8]) -> [UInt8] {
        var numbers: [UInt8] = []
        for byte in text {
            if byte >= 0x30, byte <= 0x39 {
                numbers.append(byte)
            } else if numbers.last != 0x20 {
                numbers.append(0x20)
            }
        }
        return numbers
    }
}

extension Data {
    /// Whether a text stands in these bytes.
    fileprivate func holds(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
