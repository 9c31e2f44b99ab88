import FoundationEssentials
import MastheadJSON
import MastheadNetworking

/// The decoder of answers: never a trap, and what Foundation's makes of the same bytes.
func checkDecoder(_ bytes: [UInt8]) {
    // The first byte chooses the options.
    var options = DecodingOptions()
    let choice = bytes.first ?? 0
    if choice & 1 == 1 { options.keys = .convertFromSnakeCase }
    if choice & 2 == 2 { options.dates = .secondsSince1970 }
    if choice & 4 == 4 { options.bytes = .deferredToData }
    // Not both: a date that is no number has no description.
    if choice & 10 == 8 { options.oddNumbers = .strings(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan") }
    let body = Data(bytes.dropFirst())
    let tape = options.makeTapeDecoder()

    let syntax = tape.syntaxError(in: body)
    claim((syntax == nil) == ((try? JSONText(body).value()) != nil), "both readers of JSON agree")
    claim(syntax.map { (0...body.count).contains($0.offset) } ?? true, "an error is at a place in the text")
    compare([Member].self, body, options, isJSON: syntax == nil)
    compare(Member.self, body, options, isJSON: syntax == nil)
    compare([String: Member].self, body, options, isJSON: syntax == nil)
    compare([[Int16]].self, body, options, isJSON: syntax == nil)
    compare([String: [String: String?]].self, body, options, isJSON: syntax == nil)
    if syntax == nil {
        claim((try? tape.decode(JSONValue.self, from: body)) == (try? JSONText(body).value()), "any value is the same")
    }
}

private func compare<Value: Decodable & Equatable>(
    _ type: Value.Type,
    _ body: Data,
    _ options: DecodingOptions,
    isJSON: Bool
) {
    let tape = options.makeTapeDecoder()
    let ours = try? tape.decode(type, from: body)
    claim(ours == nil || isJSON, "what is no JSON decodes to nothing")
    guard isJSON else { return }
    // Foundation's decoder rounds a number before it asks whether it is whole.
    guard !body.contains(where: { ".eE".utf8.contains($0) }) else { return }
    let theirs = try? options.makeDecoder().decode(type, from: body)
    claim(
        ours == theirs || String(describing: ours) == String(describing: theirs),
        "both decode the same: \(String(describing: ours)), and not \(String(describing: theirs))"
    )
    if let failure = tape.failure(of: type, from: body) {
        claim(failure.error is DecodingError, "an error is one of decoding")
    }
}

/// A member of every kind.
private struct Member: Decodable, Equatable {
    enum Kind: String, Decodable { case a, b, c }
    var a: Int?
    var b: String?
    var c: [Member]?
    var d: [String: Member]?
    var e: Date?
    var f: Data?
    var g: URL?
    var h: Double?
    var i: Kind?
    var jK: [UInt8?]?
    var l: Bool?
}
