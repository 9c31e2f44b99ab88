import MastheadCrypto
import Testing

@Suite("Digest")
struct DigestTests {
    @Test(
        "makes MD5 as RFC 1321 has it",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"),
            ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
            (
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
                "d174ab98d277d9f5a5611c2c9f419d9f"
            ),
            (
                "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "57edf4a22be3c955ac49da2e2107b67a"
            ),
        ]
    )
    func md5(text: String, expected: String) throws {
        #expect(try Digest.md5(text).hexadecimal == expected)
        #expect(try Digest(.md5, of: text.utf8).description == expected)
    }

    @Test(
        "makes SHA-1 and SHA-256 as FIPS 180 has them",
        arguments: [
            (Digest.Algorithm.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (
                .sha1, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
            ),
            (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                .sha256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ]
    )
    func sha(algorithm: Digest.Algorithm, text: String, expected: String) throws {
        #expect(try Digest(algorithm, of: text.utf8).hexadecimal == expected)
    }

    @Test("gives the same of pieces as of the whole", arguments: Digest.Algorithm.allCases)
    func streams(algorithm: Digest.Algorithm) throws {
        var stream = try DigestStream(algorithm)
        for piece in ["", "abcdbcdecdefdefgefghfghighijhijk", "ijkljklmklmnlmnomnop", "nopq"] {
            try stream.update(piece.utf8)
        }
        let whole = try Digest(algorithm, of: "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)
        let streamed = try stream.finish()
        #expect(streamed == whole)
    }

    @Test("digests a million letters piece by piece")
    func million() throws {
        var stream = try DigestStream(.sha256)
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
        for _ in 0..<1000 { try stream.update(piece) }
        let digest = try stream.finish()
        #expect(digest.hexadecimal == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test("takes what lies in no one place", arguments: [0, 1, 1000])
    func sequences(count: Int) throws {
        let lazy = (0..<count).lazy.map { UInt8(truncatingIfNeeded: $0) }
        #expect(try Digest.sha256(lazy) == Digest.sha256(Array(lazy)))
    }
}

@Suite("AuthenticationCode")
struct AuthenticationCodeTests {
    @Test(
        "makes HMAC with SHA-256 as RFC 4231 has it",
        arguments: [
            (
                [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                Array(0x01...0x19), [UInt8](repeating: 0xCD, count: 50),
                "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131),
                Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
            // Of nothing at all, as RFC 2104 defines it.
            ([], [], "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
        ]
    )
    func hmac(key: [UInt8], message: [UInt8], expected: String) throws {
        let code = try AuthenticationCode(of: message, key: key)
        #expect(code.hexadecimal == expected)
        #expect(code.matches(code.bytes))
    }

    @Test("tells a code that differs in one bit, or in length")
    func compares() throws {
        let code = try AuthenticationCode(of: "a".utf8, key: "k".utf8)
        for index in code.bytes.indices {
            var other = code.bytes
            other[index] ^= 1
            #expect(!code.matches(other))
        }
        #expect(!code.matches(Array(code.bytes.dropLast())))
        #expect(!code.matches(code.bytes + [0]))
        #expect(!code.matches([]))
    }
}

@Suite("SecureRandom")
struct SecureRandomTests {
    @Test("gives as many bytes as were asked for, others each time", arguments: [0, 1, 32, 1 << 20])
    func gives(count: Int) throws {
        let bytes = try SecureRandom.bytes(count: count)
        #expect(bytes.count == count)
        if count >= 32 {
            #expect(try SecureRandom.bytes(count: count) != bytes)
            #expect(Set(bytes).count > 8)
        }
    }

    @Test("refuses a count that is none", arguments: [-1, Int.min, (1 << 20) + 1, Int.max])
    func refuses(count: Int) {
        #expect(throws: CryptoError.invalidInput("\(count) is no count of random bytes: 0 to 1048576")) {
            try SecureRandom.bytes(count: count)
        }
    }
}
