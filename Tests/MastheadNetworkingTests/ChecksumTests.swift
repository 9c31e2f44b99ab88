import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("Checksum")
struct ChecksumTests {
    /// Of no bytes at all.
    private static let hexadecimal = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    private static let base64 = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    private static let bytes = Array(Data(base64Encoded: base64) ?? Data())

    @Test(
        "is the same in hexadecimal digits of either case, and in base64 with its padding or without",
        arguments: [hexadecimal, hexadecimal.uppercased(), base64, String(base64.dropLast())]
    )
    func reads(text: String) throws {
        let checksum = Checksum.sha256(text)
        try checksum.validate()
        #expect(checksum == .sha256(Self.hexadecimal))
        #expect(checksum.description == "SHA-256 \(Self.hexadecimal)")
        #expect(checksum.matches(Self.bytes))
        #expect(!checksum.matches(Self.bytes.reversed()))
        #expect(!checksum.matches(Self.bytes.dropLast()))
        #expect(!checksum.matches([]))
    }

    @Test(
        "of another text is a mistake that is told, and matches nothing",
        arguments: [
            "", "e3b0", hexadecimal + "0", String(hexadecimal.dropLast()), "g" + hexadecimal.dropFirst(),
            "x" + hexadecimal, " " + hexadecimal, "e" + String(repeating: "٣", count: 63), base64 + "=",
            String(base64.dropLast(2)), "!" + base64.dropFirst(), String(repeating: "=", count: 44),
            base64.replacing("+", with: "-"), "1B2M2Y8AsgTpgAmY7PhCfg==",
        ]
    )
    func refuses(text: String) {
        let checksum = Checksum.sha256(text)
        #expect { try checksum.validate() } throws: { error in
            guard case RepositoryError.invalidRequest = error else { return false }
            return true
        }
        #expect(!checksum.matches(Self.bytes) && !checksum.matches([]))
        #expect(checksum.description == "no SHA-256")
    }

    @Test(
        "is read from a server's digest of the whole",
        arguments: [
            (200, ["Repr-Digest": "sha-256=:\(base64):"]), (206, ["repr-digest": "sha-256=:\(base64):"]),
            (200, ["Content-Digest": " sha-256=:\(base64):\t"]),
            (200, ["Repr-Digest": "sha-512=:AAAA:,\tsha-256=:\(base64):;a=b , md5=:AAAA:"]),
            (200, ["Repr-Digest": "sha-512=:AAAA:", "repr-digest": "sha-256=:\(base64.dropLast()):"]),
            (200, ["Repr-Digest": "sha-256=:AAAA:, sha-256=:\(base64):"]),
            (200, ["Repr-Digest": "sha-512=:AAAA:", "Content-Digest": "sha-256=:\(base64):"]),
        ] as [(Int, HTTPHeaders)]
    )
    func readsFields(status: Int, headers: HTTPHeaders) throws {
        #expect(try #require(Checksum(status: status, headers: headers)).matches(Self.bytes))
    }

    @Test(
        "is not made of a digest of something else, or of none",
        arguments: [
            (200, [:]), (206, ["Content-Digest": "sha-256=:\(base64):"]), (200, ["Repr-Digest": ""]),
            (200, ["Repr-Digest": "sha-256=:\(base64):", "Content-Encoding": "gzip"]),
            (200, ["Repr-Digest": "sha-256=\(base64)"]), (200, ["Repr-Digest": "sha-256=:\(base64)"]),
            (200, ["Repr-Digest": "SHA-256=:\(base64):"]), (200, ["Repr-Digest": "sha-256 =:\(base64):"]),
            (200, ["Repr-Digest": "sha-256=:\(base64):x"]), (200, ["Repr-Digest": "sha-256=:\(base64):,"]),
            (200, ["Repr-Digest": "sha-256=:\(base64):, sha-256=:AAAA:"]),
            (200, ["Repr-Digest": "sha-256=:\(hexadecimal):"]),
            (200, ["Repr-Digest": "a=\"x, sha-256=:\(base64):, \""]), (200, ["Repr-Digest": "sha-256=:é\(base64):"]),
            (200, ["Repr-Digest": "md5=:AAAA:;a=\"b, sha-256=:\(base64):;\""]),
            (200, ["Digest": "SHA-256=\(base64)"]),
        ] as [(Int, HTTPHeaders)]
    )
    func ignoresFields(status: Int, headers: HTTPHeaders) {
        #expect(Checksum(status: status, headers: headers) == nil)
    }
}
