import MastheadTransport

/// The lines of a response's head.
func checkHead(_ bytes: [UInt8]) {
    guard let head = ResponseHead(lines: bytes, status: 200) else {
        claim(!bytes.starts(with: "HTTP/".utf8), "what starts like a head is read")
        return
    }
    claim(bytes.starts(with: "HTTP/".utf8), "what does not start like a head is refused")
    for field in head.headers {
        let (name, value) = (Array(field.name.utf8), Array(field.value.utf8))
        claim(!name.isEmpty, "a field has a name")
        claim(!name.contains { $0 == 0x0A || $0 == UInt8(ascii: ":") }, "a name ends before its colon")
        claim(!value.contains { $0 == 0 || $0 == 0x0A || $0 == 0x0D }, "a value is one line")
        claim(name[...].trimmed.count == name.count, "no space surrounds a name")
        claim(value[...].trimmed.count == value.count, "no space surrounds a value")
    }
    let size = head.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    claim(size <= 3 * bytes.count, "a byte becomes at most one character")

    let written = "HTTP/1.1 200 OK\r\n" + head.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
    claim(ResponseHead(lines: Array(written.utf8), status: 200) == head, "written down, it reads the same")
}
