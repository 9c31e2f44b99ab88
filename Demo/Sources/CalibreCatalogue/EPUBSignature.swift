import FoundationEssentials

/// How an EPUB begins: as a ZIP archive whose first entry is the stored file `mimetype` (OCF 3.3, section 4.3).
enum EPUBSignature {
    private static let mediaType = Array("application/epub+zip".utf8)

    static func matches(_ data: Data) -> Bool {
        let bytes = Array(data.prefix(256))
        func number(at offset: Int) -> Int {
            Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
        }
        guard bytes.count >= 58, bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) else { return false }
        let isStored = number(at: 8) == 0
        let nameLength = number(at: 26)
        // The standard wants no extra field here; some writers add one all the same, and readers take it.
        let content = 30 + nameLength + number(at: 28)
        guard isStored, nameLength == 8, bytes[30..<38].elementsEqual("mimetype".utf8), content < bytes.count else {
            return false
        }
        return bytes[content...].starts(with: mediaType)
    }
}
