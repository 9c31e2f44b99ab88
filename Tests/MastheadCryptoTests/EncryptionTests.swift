import MastheadCrypto
import Testing

@Suite("AESGCM")
struct AESGCMTests {
    private static let key = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
    private static let nonce = "cafebabefacedbaddecaf888"
    private static let plain =
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657"
        + "ba637b391aafd255"
    private static let sealed =
        "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0a"
        + "bcc9f662898015ad"

    /// Test cases 13 to 16 of the GCM specification that NIST took over, and the first of each kind of
    /// gcmEncryptExtIV256.rsp.
    struct Vector: Sendable {
        var key: String
        var nonce: String
        var plain = ""
        var associatedData = ""
        var sealed = ""
        var tag: String
    }

    static let vectors = [
        Vector(
            key: String(repeating: "0", count: 64),
            nonce: String(repeating: "0", count: 24),
            tag: "530f8afbc74536b9a963b4f1c4cb738b"
        ),
        Vector(
            key: String(repeating: "0", count: 64),
            nonce: String(repeating: "0", count: 24),
            plain: String(repeating: "0", count: 32),
            sealed: "cea7403d4d606b6e074ec5d3baf39d18",
            tag: "d0d1c8a799996bf0265b98b5d48ab919"
        ),
        Vector(key: key, nonce: nonce, plain: plain, sealed: sealed, tag: "b094dac5d93471bdec1a502270e3cc6c"),
        Vector(
            key: key,
            nonce: nonce,
            plain: String(plain.dropLast(8)),
            associatedData: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            sealed: String(sealed.dropLast(8)),
            tag: "76fc6ece0f4e1768cddf8853bb2d551b"
        ),
        Vector(
            key: "b52c505a37d78eda5dd34f20c22540ea1b58963cf8e5bf8ffa85f9f2492505b4",
            nonce: "516c33929df5a3284ff463d7",
            tag: "bdc1ac884d332457a1d2664f168c76f0"
        ),
        Vector(
            key: "83688deb4af8007f9b713b47cfa6c73e35ea7a3aa4ecdb414dded03bf7a0fd3a",
            nonce: "0b459724904e010a46901cf3",
            plain: "33d893a2114ce06fc15d55e454cf90c3",
            associatedData: "794a14ccd178c8ebfd1379dc704c5e208f9d8424",
            sealed: "cc66bee423e3fcd4c0865715e9586696",
            tag: "0fb291bd3dba94a1dfd8b286cfb97ac5"
        ),
    ]

    @Test("seals and opens as NIST's vectors have it", arguments: vectors)
    func vector(vector: Vector) throws {
        let key = SecretBytes(bytes(vector.key))
        let sealed = try AESGCM.seal(
            SecretBytes(bytes(vector.plain)),
            key: key,
            nonce: bytes(vector.nonce),
            associatedData: bytes(vector.associatedData)
        )
        #expect(sealed == bytes(vector.sealed + vector.tag))
        let opened = try AESGCM.open(
            sealed,
            key: key,
            nonce: bytes(vector.nonce),
            associatedData: bytes(vector.associatedData)
        )
        #expect(opened.withBytes { Array($0) } == bytes(vector.plain))
    }

    @Test("opens nothing of which one bit was changed, wherever it is")
    func tampering() throws {
        let key = SecretBytes(bytes(Self.key))
        let nonce = bytes(Self.nonce)
        let header = Array("header".utf8)
        let sealed = try AESGCM.seal(SecretBytes(Array("text".utf8)), key: key, nonce: nonce, associatedData: header)

        for index in sealed.indices {
            for bit in 0..<8 {
                #expect(throws: CryptoError.notAuthentic) {
                    try AESGCM.open(flipped(sealed, index, bit), key: key, nonce: nonce, associatedData: header)
                }
            }
        }
        for index in header.indices {
            #expect(throws: CryptoError.notAuthentic) {
                try AESGCM.open(sealed, key: key, nonce: nonce, associatedData: flipped(header, index, 0))
            }
        }
        for index in nonce.indices {
            #expect(throws: CryptoError.notAuthentic) {
                try AESGCM.open(sealed, key: key, nonce: flipped(nonce, index, 7), associatedData: header)
            }
        }
        for index in 0..<AESGCM.keySize {
            let other = SecretBytes(flipped(bytes(Self.key), index, 3))
            #expect(throws: CryptoError.notAuthentic) {
                try AESGCM.open(sealed, key: other, nonce: nonce, associatedData: header)
            }
        }
        for count in 0..<sealed.count {
            #expect(throws: CryptoError.notAuthentic) {
                try AESGCM.open(Array(sealed.prefix(count)), key: key, nonce: nonce, associatedData: header)
            }
        }
    }

    @Test("refuses a key or a nonce of another length", arguments: [0, 16, 31, 33])
    func lengths(count: Int) throws {
        let nothing = SecretBytes([])
        let zeros = [UInt8](repeating: 0, count: count)
        #expect(throws: CryptoError.invalidInput("a key of AES-256 has 32 bytes")) {
            try AESGCM.seal(nothing, key: SecretBytes(zeros), nonce: [UInt8](repeating: 0, count: 12))
        }
        #expect(throws: CryptoError.invalidInput("a nonce has 12 bytes")) {
            try AESGCM.seal(nothing, key: SecretBytes([UInt8](repeating: 0, count: 32)), nonce: zeros)
        }
    }
}

@Suite("Scrypt")
struct ScryptTests {
    /// All of RFC 7914, section 12, but the one that takes a gibibyte.
    @Test(
        "makes the keys of RFC 7914",
        arguments: [
            (
                "", "", 4, 1, 1,
                "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628"
                    + "cf35e20c38d18906"
            ),
            (
                "password", "NaCl", 10, 8, 16,
                "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b3731622eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d"
                    + "8360cbdfa2cc0640"
            ),
            (
                "pleaseletmein", "SodiumChloride", 14, 8, 1,
                "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40"
                    + "dfcf017b45575887"
            ),
        ]
    )
    func vectors(text: String, salt: String, cost: Int, size: Int, parallelism: Int, expected: String) throws {
        let scrypt = try Scrypt(logarithmicCost: cost, blockSize: size, parallelism: parallelism)
        let key = try scrypt.key(of: SecretBytes(Array(text.utf8)), salt: Array(salt.utf8), count: 64)
        #expect(key.withBytes { Array($0) } == bytes(expected))
    }

    @Test("takes more memory than OpenSSL gives by itself")
    func memory() throws {
        let scrypt = try Scrypt(logarithmicCost: 16, blockSize: 8, parallelism: 1)
        #expect(scrypt.memory > 64 << 20)
        #expect(try scrypt.key(of: SecretBytes(Array("a".utf8)), salt: [1]).count == 32)
    }

    @Test(
        "refuses numbers that are none",
        arguments: [
            (0, 8, 1), (-1, 8, 1), (25, 8, 1), (Int.max, 8, 1), (14, 0, 1), (14, 65, 1), (14, 8, 0), (14, 8, 65),
            (14, Int.min, Int.max), (16, 1, 1),
        ]
    )
    func refuses(cost: Int, size: Int, parallelism: Int) {
        #expect(throws: CryptoError.invalidInput("these are no numbers for scrypt")) {
            try Scrypt(logarithmicCost: cost, blockSize: size, parallelism: parallelism)
        }
    }
}

@Suite("SecretBytes")
struct SecretBytesTests {
    @Test("show how many they are, and nothing else")
    func showsNothing() throws {
        let secret = SecretBytes(Array("plantedsecret".utf8))
        var text = "\(secret) " + String(reflecting: secret)
        dump(secret, to: &text)
        #expect(text.contains("[13 secret bytes]"))
        #expect(!text.contains("planted") && !text.contains("112"))
        #expect(secret.withBytes { Array($0) } == Array("plantedsecret".utf8))
    }

    @Test("are wiped where they were")
    func wipes() {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 16)
        defer { memory.deallocate() }
        memory.copyBytes(from: [UInt8](repeating: 0xA5, count: 64))
        SecretBytes.wipe(memory)
        #expect(memory.allSatisfy { $0 == 0 })
    }

    @Test("derive for a purpose what HMAC makes of it")
    func derives() throws {
        let key = SecretBytes(Array("Jefe".utf8))
        let derived = try key.derived(for: "what do ya want for nothing?")
        #expect(
            derived.withBytes { Array($0) }
                == bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        )
        #expect(try key.derived(for: "another").withBytes { Array($0) } != derived.withBytes { Array($0) })
    }

    @Test("are random, as many as were asked for", arguments: [0, 1, 32])
    func random(count: Int) throws {
        let secret = try SecretBytes.random(count: count)
        #expect(secret.count == count)
        guard count == 32 else { return }
        let other = try SecretBytes.random(count: count)
        #expect(secret.withBytes { Array($0) } != other.withBytes { Array($0) })
    }

    @Test("give their memory back when they cannot be made", arguments: [-1, (1 << 20) + 1])
    func refuses(count: Int) {
        #expect(throws: CryptoError.invalidInput("\(count) is no count of random bytes: 0 to 1048576")) {
            try SecretBytes.random(count: count)
        }
    }
}

/// The bytes of hexadecimal digits.
private func bytes(_ digits: String) -> [UInt8] {
    var rest = Substring(digits)
    var bytes: [UInt8] = []
    while !rest.isEmpty {
        bytes.append(UInt8(rest.prefix(2), radix: 16) ?? 0)
        rest = rest.dropFirst(2)
    }
    return bytes
}

private func flipped(_ bytes: [UInt8], _ index: Int, _ bit: Int) -> [UInt8] {
    var bytes = bytes
    bytes[index] ^= 1 << UInt8(bit)
    return bytes
}
