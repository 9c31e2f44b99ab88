import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("Stored heads as bytes")
struct HTTPCacheEncodingTests {
    private func sample() throws -> StoredAnswer {
        let request = cacheRequest(["Accept": "a/b"], url: "https://example.com:8443/a?b=%C3%A9")
        let time = Date(timeIntervalSinceReferenceDate: 0.123_456_789)
        return try StoredAnswer(
            storing: ReceivedAnswer(
                status: 410,
                headers: [
                    "Vary": "accept", "Cache-Control": "max-age=60", "X": "é\u{1F600}", "x": "", "e\u{301}": "a",
                ],
                requestTime: time,
                responseTime: time.addingTimeInterval(0.1)
            ),
            to: request
        )
    }

    @Test("come back as they were")
    func roundTrips() throws {
        for answer in [
            try sample(), try sample().outdated, try storedAnswer([:]),
            try storedAnswer(["X": String(repeating: "x", count: 70000)]),
        ] {
            let bytes = answer.encoded()
            let decoded = try #require(StoredAnswer(decoding: bytes, key: answer.key))
            #expect(decoded == answer)
            #expect(decoded.encoded() == bytes)
            #expect(StoredAnswer(decoding: Data(bytes), key: answer.key) == answer)
        }
    }

    @Test("are refused if they are cut, longer, or of another version")
    func refusesOthers() throws {
        let (bytes, key) = (try sample().encoded(), try sample().key)
        for count in 0..<bytes.count { #expect(StoredAnswer(decoding: bytes.prefix(count), key: key) == nil) }
        #expect(StoredAnswer(decoding: bytes + [0], key: key) == nil)
        for place in 0..<3 {
            var other = bytes
            other[place] ^= 2
            #expect(StoredAnswer(decoding: other, key: key) == nil)
        }
    }

    @Test("are refused with what cannot have been stored")
    func refusesNonsense() throws {
        let (bytes, key) = (try storedAnswer([:]).encoded(), try storedAnswer([:]).key)
        // Status 200 as LEB128, then the flag, two dates, and no more than zeros.
        #expect(Array(bytes[3...5]) == [0xC8, 0x01, 0])
        func changed(_ place: Int, _ value: UInt8) -> StoredAnswer? {
            var other = bytes
            other[place] = value
            return StoredAnswer(decoding: other, key: key)
        }
        #expect(changed(4, 0x00) == nil)  // status 72, in one byte too many
        #expect(changed(4, 0x05) == nil)  // status 712
        #expect(changed(5, 1) == (try storedAnswer([:]).outdated))
        #expect(changed(5, 2) == nil)
        #expect(changed(13, 0x7F) == nil)  // a time of 1e306 seconds
        #expect(changed(21, 0xFF) == nil)  // none
        for place in bytes.count - 3..<bytes.count {
            #expect(changed(place, 1) == nil)
            #expect(changed(place, 0xFF) == nil)
        }
        // Status 200 in three bytes.
        #expect(StoredAnswer(decoding: bytes[..<4] + [0x81, 0x00] + bytes[5...], key: key) == nil)
    }

    @Test("are refused with a digest that is too short")
    func refusesShortDigests() throws {
        var bytes = try storedAnswer(["Vary": "X"]).encoded()
        // One name of one letter, and 32 bytes.
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: [1, 1, UInt8(ascii: "x"), 32]) })
        bytes[start + 3] = 31
        bytes.remove(at: start + 4)
        #expect(StoredAnswer(decoding: bytes, key: try storedAnswer([:]).key) == nil)
    }

    @Test("hold no value of a field that the answer varies by, and nothing of the URL")
    func holdsNoSecret() throws {
        let request = cacheRequest(
            ["Authorization": "Bearer open-sesame", "Cookie": "id=open-sesame"],
            url: "https://api.example.com/volumes?code=open-sesame"
        )
        let bytes = try storedAnswer(
            ["Vary": "Authorization, Cookie", "Set-Cookie": "id=open-sesame"],
            request: request
        )
        .encoded()
        #expect(String(decoding: bytes, as: UTF8.self).contains("authorization"))
        #expect(!String(decoding: bytes, as: UTF8.self).contains("open-sesame"))
    }
}
