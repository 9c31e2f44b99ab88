import MastheadCrypto

/// A key of 32 bytes as text, so that an administrator and a keyring can hold it: 64 hexadecimal digits.
enum HexadecimalKey {
    /// The longest text: the digits, and an end of line.
    static let maximumSize = 66
    private static let size = 32
    private static let digits = Array("0123456789abcdef".utf8)

    /// A new key and an end of line; the caller's to wipe.
    static func make() throws(TokenStoreError) -> [UInt8] {
        do throws(CryptoError) {
            return try SecretBytes.random(count: size).withBytes { bytes in
                var text = [UInt8]()
                text.reserveCapacity(maximumSize)
                for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
                return text + [UInt8(ascii: "\n")]
            }
        } catch {
            throw .inaccessible(reason: "there is no randomness for a key: \(error)")
        }
    }

    /// Bytes that are no secret, as digits.
    static func text(of bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Reads a key; `nil` if it is none.
    static func key(of text: ArraySlice<UInt8>) -> SecretBytes? {
        var digits = text
        if digits.last == UInt8(ascii: "\n") { digits.removeLast() }
        if digits.last == UInt8(ascii: "\r") { digits.removeLast() }
        guard digits.count == 2 * size, digits.allSatisfy({ $0.hexadecimalValue != nil }) else { return nil }
        let start = digits.startIndex
        return SecretBytes(count: size) { memory in
            for index in 0..<size {
                let high = digits[start + 2 * index].hexadecimalValue ?? 0
                let low = digits[start + 2 * index + 1].hexadecimalValue ?? 0
                memory[index] = high << 4 | low
            }
        }
    }
}
