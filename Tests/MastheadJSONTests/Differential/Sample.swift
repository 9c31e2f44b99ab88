/// A JSON value that is being made up, and can be spoilt.
final class Sample {
    enum Content {
        case null
        case bool(Bool)
        case number(String)
        case string(String)
        case array([Sample])
        case object([(name: String, value: Sample)])
    }

    var content: Content

    init(_ content: Content = .null) { self.content = content }

    /// All values in it, this one first.
    var all: [Sample] {
        switch content {
        case .array(let elements): [self] + elements.flatMap(\.all)
        case .object(let members): [self] + members.flatMap(\.value.all)
        default: [self]
        }
    }
}

extension Sample {
    static let words = [
        "", "a", "b", "id", "circle", "square", "red", "green", "literal", "sum", "negated", "named", "plain", "full",
        "é", "e\u{301}", "日本", "😀", "\"", "\\/", "\n", "\u{0}", "publish_date", "_x_", "aVeryLongWordIndeed", "7",
        "-3", "tango whiskey", "2026-01-05T09:00:00Z", "1999-12-31T23:59:60Z", "https://a.example/b?c=d", "a b", "AQID",
        "AQI", "!", "+inf", "-inf", "nan", "12345678-1234-1234-1234-123456789abc", "K", "\u{212A}",
    ]

    static let numbers = [
        "0", "-0", "1", "-1", "2", "3", "7", "127", "128", "-128", "-129", "255", "256", "32767", "65536", "2147483648",
        "4294967295", "9007199254740992", "9007199254740993", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616",
        "170141183460469231731687303715884105728", "340282366920938463463374607431768211455",
        "340282366920938463463374607431768211456", "1.0", "1e2", "12e-1", "1.5", "-2.25", "0.1", "1.91", "3.4028235e38",
        "1e39", "1e400", "-1e400", "1e-400", "0e999", "0.0", "-0.0", "5e-324", "2.2250738585072014e-308", "1E+3",
        "123456789.125", "0.30000000000000004", "179769313486231570000", "16777217", "0.333333333333333333333333333",
        "1.7976931348623157e308", "12345678901234567890123456789012345678", "1000000000000000000000000000000000000001",
        "20e-1", "1700000000", "1700000000.5", "1700000000000", "4.35", "8.41e21", "9007199254740993.0", "100e-2",
    ]

    /// Any value.
    static func any(depth: Int, using random: inout SeededGenerator) -> Sample {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 6), using: &random) {
        case 0: Sample(.null)
        case 1: Sample(.bool(.random(using: &random)))
        case 2, 3: Sample(.number(numbers.randomElement(using: &random) ?? "0"))
        case 4, 5: Sample(.string(words.randomElement(using: &random) ?? ""))
        case 6, 7:
            Sample(
                .array((0..<Int.random(in: 0...3, using: &random)).map { _ in any(depth: depth - 1, using: &random) })
            )
        default:
            Sample(
                .object(
                    (0..<Int.random(in: 0...3, using: &random)).map { _ in
                        (words.randomElement(using: &random) ?? "", any(depth: depth - 1, using: &random))
                    }
                )
            )
        }
    }

    /// Changes something in it.
    func spoil(using random: inout SeededGenerator) {
        guard let victim = all.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: victim.content = .null
        case 1, 2: victim.content = Sample.any(depth: 2, using: &random).content
        default:
            switch victim.content {
            case .object(var members):
                switch Int.random(in: 0..<5, using: &random) {
                case 0: members.shuffle(using: &random)
                case 1: if !members.isEmpty { members.remove(at: .random(in: members.indices, using: &random)) }
                case 2:
                    let name = Sample.words.randomElement(using: &random) ?? ""
                    members.insert(
                        (name, Sample.any(depth: 2, using: &random)),
                        at: .random(in: 0...members.count, using: &random)
                    )
                case 3:
                    if let twin = members.randomElement(using: &random) {
                        members.insert(
                            (twin.name, Sample.any(depth: 1, using: &random)),
                            at: .random(in: 0...members.count, using: &random)
                        )
                    }
                default:
                    for number in 0..<Int.random(in: 30...36, using: &random) {
                        members.insert(("k\(number)", Sample(.number("\(number)"))), at: 0)
                    }
                }
                victim.content = .object(members)
            case .array(var elements):
                if Bool.random(using: &random), !elements.isEmpty {
                    elements.remove(at: .random(in: elements.indices, using: &random))
                } else {
                    elements.insert(
                        Sample.any(depth: 1, using: &random),
                        at: .random(in: 0...elements.count, using: &random)
                    )
                }
                victim.content = .array(elements)
            case .number: victim.content = .number(Sample.numbers.randomElement(using: &random) ?? "0")
            case .string: victim.content = .string(Sample.words.randomElement(using: &random) ?? "")
            default: victim.content = Sample.any(depth: 1, using: &random).content
            }
        }
    }
}

// MARK: - Writing

extension Sample {
    /// The value as JSON, each time written another way.
    func written(using random: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        let isPlain = Bool.random(using: &random)
        write(to: &bytes, isPlain: isPlain, &random)
        return bytes
    }

    private func write(to bytes: inout [UInt8], isPlain: Bool, _ random: inout SeededGenerator) {
        func space(_ random: inout SeededGenerator) {
            guard !isPlain, Int.random(in: 0..<4, using: &random) == 0 else { return }
            bytes += [" ", "\n", "\t", "\r\n  "].randomElement(using: &random).map { Array($0.utf8) } ?? []
        }
        space(&random)
        switch content {
        case .null: bytes += Array("null".utf8)
        case .bool(let value): bytes += Array("\(value)".utf8)
        case .number(let digits): bytes += Array(digits.utf8)
        case .string(let text): Self.write(text, to: &bytes, isPlain: isPlain, &random)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes, isPlain: isPlain, &random)
            }
            space(&random)
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                space(&random)
                Self.write(member.name, to: &bytes, isPlain: isPlain, &random)
                space(&random)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes, isPlain: isPlain, &random)
            }
            space(&random)
            bytes.append(UInt8(ascii: "}"))
        }
        space(&random)
    }

    private static func write(_ text: String, to bytes: inout [UInt8], isPlain: Bool, _ random: inout SeededGenerator) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            let escapes = !isPlain && Int.random(in: 0..<16, using: &random) == 0
            if escapes || scalar.value < 0x20 {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16, uppercase: .random(using: &random))
                    bytes += Array("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
                }
            } else if scalar == "\"" || scalar == "\\" {
                bytes += Array("\\\(scalar)".utf8)
            } else {
                bytes += Array(String(scalar).utf8)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

/// Chance that can be had again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
