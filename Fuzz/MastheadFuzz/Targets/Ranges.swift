import FoundationEssentials
import MastheadNetworking
import MastheadTransport

/// Entity tags, ranges, and what is made of them: the first line is the length of a part file; then come the heads of the
/// answer it began with and of the answer it may go on with.
func checkRanges(_ bytes: [UInt8]) {
    let (line, rest) = firstLine(of: bytes)
    checkValue(line)
    let text = String(decoding: rest, as: UTF8.self)
    let heads = text.split(separator: "\n\n", maxSplits: 1).map { ResponseHead(lines: Array($0.utf8), status: 200) }
    guard heads.count == 2, let first = heads[0]?.fields, let second = heads[1]?.fields, let length = Int(line) else {
        return
    }
    for field in first.fields + second.fields { checkValue(field.value) }

    let now = Date(timeIntervalSince1970: 1_767_225_600)
    let state = ResumeState(url: "https://a.example/b", status: 200, headers: first, now: now)
    if let state {
        let copy = (try? JSONEncoder().encode(state)).flatMap { try? JSONDecoder().decode(ResumeState.self, from: $0) }
        claim(copy == state, "what is kept is read back")
    }
    let plan = ResumePlan(url: "https://a.example/b", state: state, partLength: length)
    claim(plan.offset == 0 || plan.offset == length && state != nil, "it goes on where the part file ends")
    do {
        try plan.headers.validate()
    } catch {
        claim(false, "what is asked can be sent: \(error)")
    }
    for status in [200, 206, 416, 500] {
        guard let decision = try? plan.decision(status: status, headers: second, now: now) else { continue }
        switch decision {
        case .begin: claim(status == 200, "only a whole answer begins anew")
        case .write(let range, let size):
            claim(status == 206 && plan.offset > 0, "only a part that was asked for is written")
            claim(range.contains(plan.offset), "a part leaves no hole, and brings something")
            claim(size == state?.size ?? size && range.upperBound <= size ?? .max, "a part stays within the whole")
        case .whole:
            claim(status == 416 && plan.offset > 0, "only a refused range says that all is there")
            claim(plan.offset == state?.size ?? plan.offset, "all is as much as was announced")
        case .restart: claim(plan.offset > 0, "a plan from the beginning never says so")
        case .keep: claim(status >= 400, "only a refusal says nothing")
        }
    }
}

/// A value as a range and as a tag.
private func checkValue(_ value: String) {
    if let tag = EntityTag(value) {
        claim(EntityTag(tag.description) == tag, "a tag is read back")
        claim(tag.matchesWeakly(tag) && tag.matchesStrongly(tag) != tag.isWeak, "a tag matches itself")
        claim(!tag.opaque.utf8.contains { $0 <= 0x20 || $0 == 0x22 || $0 == 0x7F }, "a tag can stand in a field")
    }
    if let field = ContentRange(value) {
        claim(field.range != nil || field.size != nil, "a range says something")
        if let range = field.range {
            claim(!range.isEmpty && range.lowerBound >= 0, "a range holds a byte")
            claim(range.upperBound <= field.size ?? .max, "a range ends with the whole")
        }
        let range = field.range.map { "\($0.lowerBound)-\($0.upperBound - 1)" } ?? "*"
        claim(ContentRange("bytes \(range)/\(field.size.map(String.init) ?? "*")") == field, "a range is read back")
    }
}

extension ResponseHead {
    fileprivate var fields: HTTPHeaders {
        HTTPHeaders(headers.map { HTTPHeaders.Field(name: $0.name, value: $0.value) })
    }
}
