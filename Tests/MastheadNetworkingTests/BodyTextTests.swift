import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("BodyText")
struct BodyTextTests {
    private static let json = #"{"title": "Köder – 📰"}"#

    @Test(
        "case 15: makes UTF-8 of every encoding a server may use",
        arguments: [
            (Data(json.utf8), nil), (Data(json.utf8), "application/json"),
            (Data(json.utf8), "application/json; charset=UTF-8"),
            (Data([0xEF, 0xBB, 0xBF]) + Data(json.utf8), "application/json"), (utf16(json, isBig: false), nil),
            (utf16(json, isBig: true), nil), (utf16("\u{FEFF}" + json, isBig: false), nil),
            (utf16("\u{FEFF}" + json, isBig: true), "text/json"),
            (utf16(json, isBig: false), "text/json;charset=\"utf-16\""),
            (utf16(json, isBig: true), "text/json; charset=utf-16"),
            (utf16(json, isBig: false), "text/json; Charset=UTF-16LE"),
            (utf32(json, isBig: true), nil), (utf32(json, isBig: false), nil),
            (utf32("\u{FEFF}" + json, isBig: false), nil),
            (utf32("\u{FEFF}" + json, isBig: true), "text/json; charset=utf-32"),
        ] as [(Data, String?)]
    )
    func makesUTF8(body: Data, contentType: String?) throws {
        let text = try BodyText(body, contentType: contentType)

        #expect(String(decoding: text.utf8, as: UTF8.self) == Self.json)
    }

    @Test("takes Latin-1 for windows-1252", arguments: ["ISO-8859-1", "latin1", "windows-1252", "cp1252"])
    func takesLatin1(charset: String) throws {
        let text = try BodyText(
            Data([0x22, 0x4B, 0xF6, 0x64, 0x65, 0x72, 0x20, 0x96, 0x80, 0x22]),
            contentType: "application/json; charset=\(charset)"
        )

        #expect(String(decoding: text.utf8, as: UTF8.self) == "\"Köder –€\"")
    }

    @Test("recognizes UTF-16 and UTF-32 of a value of one character", arguments: ["1"])
    func recognizesShortText(json: String) throws {
        for body in [Self.utf16(json, isBig: true), Self.utf16(json, isBig: false), Self.utf32(json, isBig: true)] {
            #expect(try BodyText(body, contentType: nil).utf8 == Data(json.utf8))
        }
    }

    @Test(
        "case 15: says where bytes are not what they claim",
        arguments: [
            ([0x22, 0xFF, 0x22], nil, 1), (Array("01234567é9012345".utf8) + [0xC3], nil, 17), ([0xE2, 0x82], nil, 0),
            ([0xEF, 0xBB, 0xBF, 0x22, 0x80], nil, 4), ([0x22, 0x00, 0x00, 0xD8], nil, 2),
            ([0x22, 0x00, 0x00, 0xDC], nil, 2),
            ([0xFF, 0xFE, 0x22], nil, 2), ([0xFF, 0xFE, 0, 0, 0, 0, 0x11, 0], nil, 4),
            ([0x22, 0x83, 0x22], "text/json; charset=shift_jis", 1),
        ] as [([UInt8], String?, Int)]
    )
    func findsFailures(bytes: [UInt8], contentType: String?, offset: Int) {
        let error = #expect(throws: TextFailure.self) { try BodyText(Data(bytes), contentType: contentType) }

        #expect(error?.offset == offset)
    }

    @Test("takes ASCII of a charset it does not know")
    func takesASCII() throws {
        #expect(try BodyText(Data("{}".utf8), contentType: "text/json; charset=x-unknown").utf8 == Data("{}".utf8))
    }

    @Test("tells where a place of the text stands in the body")
    func mapsOffsets() throws {
        let place = try #require(Self.json.utf8.firstIndex(of: UInt8(ascii: "}")))
        let offset = Self.json.utf8.distance(from: Self.json.utf8.startIndex, to: place)
        for (body, mark, last) in [
            (Data(Self.json.utf8), 0, 1), (Data([0xEF, 0xBB, 0xBF]) + Data(Self.json.utf8), 3, 1),
            (Self.utf16("\u{FEFF}" + Self.json, isBig: false), 2, 2), (Self.utf32(Self.json, isBig: true), 0, 4),
        ] {
            let text = try BodyText(body, contentType: nil)
            #expect(text.bodyOffset(offset) == body.count - last)
            #expect(text.bodyOffset(0) == mark)
        }
    }

    @Test("works on a slice of a bigger buffer")
    func takesSlices() throws {
        let body = Data("xx{}".utf8).dropFirst(2)

        #expect(try BodyText(body, contentType: nil).utf8 == Data("{}".utf8))
        #expect(JSONText(Data("xx[1]".utf8).dropFirst(2)).value(at: "/0") == 1)
    }

    private static func utf16(_ text: String, isBig: Bool) -> Data {
        Data(text.utf16.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)] })
    }

    private static func utf32(_ text: String, isBig: Bool) -> Data {
        Data(
            text.unicodeScalars.flatMap { scalar in
                let bytes = [24, 16, 8, 0].map { UInt8(scalar.value >> UInt32($0) & 255) }
                return isBig ? bytes : bytes.reversed()
            }
        )
    }
}
