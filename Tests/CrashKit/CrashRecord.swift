import FoundationEssentials
package import MastheadNetworking

/// A value that knows whether it is whole.
package struct CrashRecord: Codable, Sendable, Hashable {
    package let number: Int
    package let text: String
    package let sum: UInt64

    /// Makes a value of a length; another for each seed.
    package init(number: Int, length: Int, seed: UInt64) {
        var random = SplitMix(state: seed)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length + 8)
        while bytes.count < length {
            var word = random.next()
            for _ in 0..<8 {
                bytes.append(UInt8(ascii: "a") + UInt8(word & 15))
                word >>= 8
            }
        }
        self.number = number
        text = String(decoding: bytes.prefix(length), as: UTF8.self)
        sum = Self.sum(of: text, number)
    }

    /// Whether nothing of it is missing or from another.
    package var isWhole: Bool { sum == Self.sum(of: text, number) }

    /// The last value that a process keeps.
    package static func last(_ number: Int) -> CrashRecord { CrashRecord(number: number, length: 0, seed: 0) }

    /// Whether it is the last that its process has kept.
    package var isLast: Bool { text.isEmpty }

    /// The environment that crash tests write for.
    package static let environment = NetworkingConfiguration(domainURL: "api.example.com")

    private static func sum(of text: String, _ number: Int) -> UInt64 {
        text.utf8.reduce(UInt64(truncatingIfNeeded: number) &+ 14_695_981_039_346_656_037) {
            ($0 ^ UInt64($1)) &* 1_099_511_628_211
        }
    }
}
