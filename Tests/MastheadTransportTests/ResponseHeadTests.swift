import MastheadTransport
import Testing

struct ResponseHeadTests {
    private func head(_ text: String) -> ResponseHead? {
        ResponseHead(lines: Array(text.utf8), status: 200)
    }

    @Test("reads fields in order, without the white space around their values")
    func readsFields() {
        let head = head("HTTP/1.1 200 OK\r\nB: 1 \r\na:\t2\r\nB: 3\r\nEmpty:\r\n")
        #expect(
            head?.headers == [
                HeaderField(name: "B", value: "1"), HeaderField(name: "a", value: "2"),
                HeaderField(name: "B", value: "3"), HeaderField(name: "Empty", value: ""),
            ]
        )
    }

    @Test("joins folded lines and drops lines that are no field")
    func joinsFolds() {
        let head = head("HTTP/1.1 200 OK\r\nA: one\r\n  two\r\nno colon\r\n: no name\r\nB: x\r\n")
        #expect(head?.headers == [HeaderField(name: "A", value: "one two"), HeaderField(name: "B", value: "x")])
    }

    @Test("takes bytes that are no UTF-8 for ISO-8859-1")
    func readsLatin1() {
        let head = ResponseHead(lines: Array("HTTP/1.1 200 OK\r\nA: caf".utf8) + [0xE9, 13, 10], status: 200)
        #expect(head?.headers == [HeaderField(name: "A", value: "café")])
    }

    @Test("takes a CR or NUL within a value for a space")
    func replacesLineEnds() {
        let head = head("HTTP/1.1 200 OK\r\nA: b\rC: d\r\nE:\0f\0\r\nG:\r\n \r\n h\ri\r\n")
        #expect(
            head?.headers == [
                HeaderField(name: "A", value: "b C: d"), HeaderField(name: "E", value: "f"),
                HeaderField(name: "G", value: "h i"),
            ]
        )
    }

    @Test("refuses a head without a status line")
    func refusesOthers() {
        #expect(head("A: b\r\n") == nil)
        #expect(ResponseHead(lines: [], status: 200) == nil)
    }
}
