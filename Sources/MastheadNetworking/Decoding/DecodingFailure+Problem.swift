import FoundationEssentials
import MastheadJSON

extension DecodingFailure {
    /// Tells of a problem in texts of our own, with its place in the bytes and what surrounds it.
    init(model: String, _ problem: DecodingProblem, in body: BodyText, _ decoder: TapeDecoder) {
        let text = JSONText(body.utf8)
        // What is missing has no place; the object that lacks it does.
        let deepest =
            problem.path.indices.reversed().lazy
            .map { decoder.offset(of: Array(problem.path[...$0]), in: body.utf8) }
            .first { $0 != nil } ?? nil
        let offset = deepest ?? decoder.offset(of: [], in: body.utf8)
        let found = offset.flatMap { text.bytes.kind(at: $0) }
        self.init(
            model: model,
            codingPath: CodingPathText(problem.path).text,
            reason: problem.reason(found: found),
            byteOffset: offset.map(body.bodyOffset),
            snippet: text.snippet(around: offset)
        )
    }
}

extension DecodingProblem {
    /// What was wrong, by kinds.
    fileprivate func reason(found: String?) -> String {
        let found = found.map { ", found \($0)" } ?? ""
        switch kind {
        case .missing: return "the member is missing"
        case .absent(let type): return "expected \(ModelName(type).text)\(found)"
        case .mismatch(let type): return "expected \(ModelName(type).kind)\(found)"
        case .unfit(let type): return "expected \(ModelName(type).text), found a number that it cannot hold"
        case .refused: return "the model does not take this value\(found)"
        case .thrown(let error): return "the model threw \(type(of: error))\(found)"
        }
    }
}

extension Data {
    /// The kind of JSON value that starts at that place.
    fileprivate func kind(at offset: Int) -> String? {
        guard offset >= 0, offset < count else { return nil }
        return switch self[startIndex + offset] {
        case UInt8(ascii: "{"): "an object"
        case UInt8(ascii: "["): "an array"
        case UInt8(ascii: "\""): "a string"
        case UInt8(ascii: "t"), UInt8(ascii: "f"): "a Boolean"
        case UInt8(ascii: "n"): "null"
        default: "a number"
        }
    }
}
