import FoundationEssentials
import MastheadNetworking

/// A body's text: the first line is its content type.
func checkText(_ bytes: [UInt8]) {
    let (type, body) = firstLine(of: bytes)
    let text: BodyText
    do throws(TextFailure) {
        text = try BodyText(Data(body), contentType: type)
    } catch {
        return claim((0...body.count).contains(error.offset), "an error is at a place in the body")
    }
    claim(String(validating: Array(text.utf8), as: UTF8.self) != nil, "the text is UTF-8")
    // A byte of windows-1252 may be a letter of three.
    claim(text.utf8.count <= 3 * body.count, "the text is not much longer than the body")
    var last = 0
    for place in stride(from: 0, through: text.utf8.count, by: max(1, text.utf8.count / 16)) {
        let offset = text.bodyOffset(place)
        claim((last...body.count).contains(offset), "places stand in the body in their order")
        last = offset
    }
    claim(text.bodyOffset(text.utf8.count) == body.count, "the text's end is the body's")
    // What starts with a mark, or like UTF-16, is not read as it is.
    if !text.utf8.prefix(4).contains(0), text.utf8.first.map({ $0 < 0xEF }) ?? true {
        claim((try? BodyText(text.utf8, contentType: nil))?.utf8 == text.utf8, "UTF-8 stays as it is")
    }
}
