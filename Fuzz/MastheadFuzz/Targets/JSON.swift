import FoundationEssentials
import MastheadJSON
import MastheadNetworking

/// The scanner that finds errors, codes and places in JSON, and hides its values.
func checkJSON(_ bytes: [UInt8]) {
    let text = JSONText(Data(bytes))
    let error = text.syntaxError
    let value = try? text.value()
    claim((error == nil) == (value != nil), "there is a value or an error")
    claim(error.map { (0...bytes.count).contains($0.offset) } ?? true, "an error is at a place in the text")

    for limit in [0, 7, 60, 400] {
        for offset in [nil, -1, bytes.count / 2, bytes.count + 1] {
            let snippet = text.snippet(around: offset, limit: limit)
            claim(snippet.utf8.count <= limit, "a snippet keeps to its limit")
        }
    }
    guard let value else {
        _ = text.offset(of: [PathKey("a"), PathKey(1)], keys: .convertFromSnakeCase)
        return
    }
    checkPlaces(in: value, text)
    do {
        try claim(JSONText(value.encoded()).value().isNearly(value), "what is written reads the same")
    } catch {
        claim(false, "what was read can be written: \(error)")
    }
    do {
        let decoded = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
        claim(decoded.isNearly(value), "the decoder reads the same: \(decoded), and not \(value)")
    } catch {
        claim(value.holdsLongNumber, "the decoder takes it too: \(error)")
    }
}

/// That every pointer and every coding path leads to the value it names; the first forty of them.
private func checkPlaces(in value: JSONValue, _ text: JSONText) {
    var open: [(path: [PathKey], value: JSONValue)] = [([], value)]
    var seen = 0
    while let (path, value) = open.popLast(), seen < 40 {
        seen += 1
        let pointer = JSONPointer(tokens: path.map(\.stringValue))
        claim(text.value(at: pointer) == value, "the pointer \(pointer) leads to its value")
        claim(JSONPointer(validating: pointer.description) == pointer, "a pointer's text is read back")
        guard let offset = text.offset(of: path) else { return claim(false, "\(pointer) has a place") }
        claim((0..<text.bytes.count).contains(offset), "a place is in the text")
        for (name, member) in value.objectValue ?? [:] { open.append((path + [PathKey(name)], member)) }
        for (index, element) in (value.arrayValue ?? []).enumerated() {
            open.append((path + [PathKey(index)], element))
        }
    }
}

extension JSONValue {
    /// Whether both are the same, but for numbers beyond 53 bits that are written with a fraction or a power of ten.
    fileprivate func isNearly(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isNearly($1) }
        case (.object(let left), .object(let right)):
            left.count == right.count && left.allSatisfy { name, value in right[name].map(value.isNearly) ?? false }
        case (.double, _), (_, .double):
            // Foundation's decoder cuts the fraction of a number beyond 53 bits off when it is asked for a whole one.
            abs((doubleValue ?? .nan) - (other.doubleValue ?? .nan)) <= (doubleValue ?? 0).ulp
        default: self == other
        }
    }

    /// Whether there is a number in it that a decoder may refuse.
    fileprivate var holdsLongNumber: Bool {
        switch self {
        case .number: true
        case .double(let value): value.magnitude >= 0x1p63
        case .array(let elements): elements.contains(where: \.holdsLongNumber)
        case .object(let members): members.values.contains(where: \.holdsLongNumber)
        default: false
        }
    }
}

private struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ name: String) {
        stringValue = name
        intValue = nil
    }

    init(_ index: Int) {
        stringValue = String(index)
        intValue = index
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(intValue) }
}
