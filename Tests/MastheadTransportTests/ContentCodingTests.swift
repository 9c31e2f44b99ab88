import MastheadTransport
import Testing

struct ContentCodingTests {
    @Test(
        "reads the list of codings",
        arguments: [
            ("gzip", [ContentCoding.gzip]), ("X-GZIP", [.gzip]), ("identity", []), ("", []),
            ("deflate, gzip", [.deflate, .gzip]),
        ]
    )
    func readsList(field: String, expected: [ContentCoding]) throws {
        #expect(try ContentCoding.list(in: field) == expected)
    }

    @Test("asks for every coding it undoes, and for no other")
    func asksForWhatItUndoes() throws {
        let labels = CodedForm.all.map(\.label)
        let asked = ContentCoding.accepted.split(separator: ",").map { String($0.drop { $0 == " " }) }
        #expect(Set(asked) == Set(labels))
        for form in CodedForm.all { #expect(try ContentCoding.list(in: form.label.uppercased()) == [form.coding]) }
    }

    @Test(
        "refuses a coding it did not ask for, and a stack of them",
        arguments: ["compress", "gzip, dcb", "aes128gcm", "gzip,gzip,gzip,gzip,gzip"]
    )
    func refusesOthers(field: String) {
        #expect(throws: TransportError.self) { try ContentCoding.list(in: field) }
    }
}
