/// The digest SHA-256 of some bytes (FIPS 180-4).
///
/// The demo sums up what it got with a code of its own: what checks the kit must not be part of it.
///
/// ```swift
/// SHA256.hex(of: Array("abc".utf8))   // ba7816bf…
/// ```
public enum SHA256 {
    /// The digest as 64 hexadecimal digits.
    public static func hex(of bytes: some Collection<UInt8>) -> String {
        digest(of: bytes).map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    private static func digest(of bytes: some Collection<UInt8>) -> [UInt32] {
        var message = Array(bytes)
        let bitCount = UInt64(message.count) * 8
        message.append(0x80)
        message.append(contentsOf: [UInt8](repeating: 0, count: (120 - message.count % 64) % 64))
        message.append(contentsOf: (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * UInt64($0))) })

        var state = initialState
        var schedule = [UInt32](repeating: 0, count: 64)
        for block in stride(from: 0, to: message.count, by: 64) {
            for index in 0..<16 {
                let at = block + index * 4
                schedule[index] =
                    UInt32(message[at]) << 24 | UInt32(message[at + 1]) << 16
                    | UInt32(message[at + 2]) << 8 | UInt32(message[at + 3])
            }
            compress(&state, &schedule)
        }
        return state
    }

    private static func compress(_ state: inout [UInt32], _ schedule: inout [UInt32]) {
        for index in 16..<64 {
            let early = schedule[index - 15]
            let late = schedule[index - 2]
            let first = rotate(early, 7) ^ rotate(early, 18) ^ early >> 3
            let second = rotate(late, 17) ^ rotate(late, 19) ^ late >> 10
            schedule[index] = schedule[index - 16] &+ first &+ schedule[index - 7] &+ second
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for index in 0..<64 {
            let choice = e & f ^ ~e & g
            let majority = a & b ^ a & c ^ b & c
            let first =
                h &+ (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) &+ choice &+ constants[index] &+ schedule[index]
            let second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) &+ majority
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { state[index] &+= value }
    }

    private static func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 {
        value >> count | value << (32 - count)
    }

    /// The first 32 bits of the fractions of the square roots of the first eight primes.
    private static let initialState: [UInt32] = [
        0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
    ]

    /// The same of the cube roots of the first sixty-four primes.
    private static let constants: [UInt32] = primes.map { prime in
        let root = cubeRoot(of: Double(prime))
        return UInt32((root - root.rounded(.down)) * 4_294_967_296)
    }

    private static let primes: [Int] = {
        var primes: [Int] = []
        var candidate = 2
        while primes.count < 64 {
            if !primes.contains(where: { candidate % $0 == 0 }) { primes.append(candidate) }
            candidate += 1
        }
        return primes
    }()

    /// By Newton's method; more than the 32 bits wanted come out right.
    private static func cubeRoot(of value: Double) -> Double {
        var root = value / 2
        for _ in 0..<60 { root -= (root * root * root - value) / (3 * root * root) }
        return root
    }
}
