import FoundationEssentials

/// Types of every kind that the standard library and a compiler make decoders of.
enum Models {
    struct Flat: Codable, Equatable {
        var a: Int
        var b: Int8
        var c: Int16
        var d: Int32
        var e: Int64
        var f: UInt
        var g: UInt8
        var h: UInt16
        var i: UInt32
        var j: UInt64
    }

    struct Wide: Codable, Equatable {
        var a: Int128
        var b: UInt128
        var c: [Int128]
    }

    struct Floats: Codable, Equatable {
        var a: Double
        var b: Float
        var c: [Double]
        var d: [Float]?
    }

    struct Optionals: Codable, Equatable {
        var a: Int?
        var b: String?
        var c: Double?
        var d: Bool?
        var e: [String]?
        var f: Flat?
        var g: Date?
        var h: UInt8?
        var i: Float?
        var id: Color?
    }

    struct Nested: Codable, Equatable {
        struct Inner: Codable, Equatable {
            var id: String
            var list: [Optionals]
            var table: [String: [Int]]
        }
        var a: Inner
        var b: [Inner]
        var named: [String: Inner]
    }

    enum Color: String, Codable, CaseIterable { case red, green, a, b }
    enum Level: Int, Codable { case one = 1, two, three, seven = 7 }

    final class Tree: Codable, Equatable {
        var a: Int
        var children: [Tree]?
        static func == (left: Tree, right: Tree) -> Bool { left.a == right.a && left.children == right.children }
    }

    indirect enum Expression: Codable, Equatable {
        case literal(Int)
        case sum(Expression, Expression)
        case negated(of: Expression)
        case plain
    }

    enum Shape: Codable, Equatable {
        case circle(radius: Double)
        case square(side: Double, color: Color?)
        case named(String, id: Int)
    }

    class Base: Codable, Equatable {
        var id: String
        init(id: String) { self.id = id }
        func isEqual(_ other: Base) -> Bool { id == other.id }
        static func == (left: Base, right: Base) -> Bool { left.isEqual(right) }
    }

    final class Derived: Base {
        var a: Int
        private enum Keys: CodingKey { case a }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            a = try container.decode(Int.self, forKey: .a)
            try super.init(from: try container.superDecoder())
        }
        override func isEqual(_ other: Base) -> Bool { super.isEqual(other) && a == (other as? Derived)?.a }
    }

    final class Named: Base {
        var a: Int?
        private enum Keys: CodingKey { case a, b }
        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            try super.init(from: try container.superDecoder(forKey: .b))
            a = try container.decodeIfPresent(Int.self, forKey: .a)
        }
        override func isEqual(_ other: Base) -> Bool { super.isEqual(other) && a == (other as? Named)?.a }
    }

    /// Told by its member `a` what it is.
    enum Polymorphic: Decodable, Equatable {
        case circle(Double)
        case square(Flat)
        private enum Keys: String, CodingKey { case kind = "a", value = "b" }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            switch try container.decode(String.self, forKey: .kind) {
            case "circle", "a", "": self = .circle(try container.decode(Double.self, forKey: .value))
            case "square", "b", "id": self = .square(try container.decode(Flat.self, forKey: .value))
            default:
                throw DecodingError.dataCorruptedError(forKey: .kind, in: container, debugDescription: "no such kind")
            }
        }
    }

    struct AnyKey: CodingKey, Hashable, CodingKeyRepresentable, Codable {
        var stringValue: String
        var intValue: Int?
        init(stringValue: String) {
            self.stringValue = stringValue
            intValue = Int(stringValue)
        }
        init?(intValue: Int) {
            stringValue = "\(intValue)"
            self.intValue = intValue
        }
        init?<T: CodingKey>(codingKey: T) { self.init(stringValue: codingKey.stringValue) }
        var codingKey: any CodingKey { self }
    }

    /// Whatever members there are.
    struct Dynamic: Decodable, Equatable {
        var members: [String: String] = [:]
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
                members[key.stringValue] =
                    try container.decodeNil(forKey: key) ? nil : container.decode(String.self, forKey: key)
            }
        }
    }

    /// Everything an unkeyed container does.
    struct Mixed: Decodable, Equatable {
        var texts: [String] = []
        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            texts.append("\(list.count ?? -1)")
            if !list.isAtEnd { texts.append("\(try list.decodeNil())") }
            if !list.isAtEnd {
                let nested = try list.nestedContainer(keyedBy: AnyKey.self)
                texts += nested.allKeys.map(\.stringValue).sorted()
                texts.append("\(try nested.decode(Int.self, forKey: AnyKey(stringValue: "id")))")
            }
            if !list.isAtEnd {
                var nested = try list.nestedUnkeyedContainer()
                while !nested.isAtEnd { texts.append(try nested.decode(String.self)) }
            }
            if !list.isAtEnd { texts.append(try String(from: try list.superDecoder())) }
            texts.append("\(try list.decodeIfPresent(Int.self) ?? -1) \(list.currentIndex)")
            texts.append("\(try list.decodeIfPresent(Color.self) ?? .a)")
            texts.append("\(try list.decode(Bool.self))")
        }
    }

    /// The first type that will do.
    enum Either: Decodable, Equatable {
        case number(Int), flag(Bool), text(String), list([Either]), nothing
        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .nothing
            } else if let value = try? container.decode(Int.self) {
                self = .number(value)
            } else if let value = try? container.decode(Bool.self) {
                self = .flag(value)
            } else if let value = try? container.decode(String.self) {
                self = .text(value)
            } else {
                self = .list(try container.decode([Either].self))
            }
        }
    }

    struct Wrapper: Codable, Equatable {
        var value: Flat
        init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Flat.self) }
    }

    struct Box<Value: Decodable & Equatable>: Decodable, Equatable {
        var a: Value
        var b: [Value]
    }

    struct SnakeCase: Codable, Equatable {
        var publishDate: String
        var aBigOne: Int?
        var a: [String: Int]
        var nestedThing: [String: Optionals]?
    }

    /// Lists within an object, by hand.
    struct Lists: Decodable, Equatable {
        var sums: [Int] = []
        private enum Keys: CodingKey { case a, b }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            for key in [Keys.b, .a] {
                var list = try container.nestedUnkeyedContainer(forKey: key)
                while !list.isAtEnd { sums.append(try list.decode(Int.self)) }
            }
            let nested = try container.nestedContainer(keyedBy: AnyKey.self, forKey: .a)
            sums.append(nested.allKeys.count)
        }
    }

    /// Two types from one object.
    struct Flattened: Decodable, Equatable {
        var flat: Flat
        var name: Optionals
        init(from decoder: any Decoder) throws {
            name = try Optionals(from: decoder)
            flat = try Flat(from: decoder)
        }
    }

    struct Defaults: Decodable, Equatable {
        var a = 0
        var b = "none"
        private enum Keys: CodingKey { case a, b }
        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Keys.self)
            if container.contains(.a) { a = try container.decode(Int.self, forKey: .a) }
            if try container.contains(.b) && !container.decodeNil(forKey: .b) {
                b = try container.decode(String.self, forKey: .b)
            }
        }
    }

    /// A rule of its own, and an error for it.
    struct Strict: Decodable, Equatable {
        struct Broken: Error {}
        var a: Int
        private enum Keys: CodingKey { case a }
        init(from decoder: any Decoder) throws {
            a = try decoder.container(keyedBy: Keys.self).decode(Int.self, forKey: .a)
            if a > 50 { throw Broken() }
        }
    }

    /// Keeps the decoder and decodes when it is long over.
    struct Late: Decodable, Equatable {
        var container: KeyedDecodingContainer<AnyKey>
        init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: AnyKey.self) }
        var texts: [String] {
            container.allKeys.map { key in
                "\(key.stringValue) \((try? container.decode(String.self, forKey: key)) ?? "?") \(container.codingPath.count)"
            }
            .sorted()
        }
        static func == (left: Late, right: Late) -> Bool { left.texts == right.texts }
    }

    /// What it was given on the way, and where it is.
    struct Informed: Decodable, Equatable {
        static let key = CodingUserInfoKey(rawValue: "informed")
        var text: String
        init(from decoder: any Decoder) throws {
            let given = Self.key.flatMap { decoder.userInfo[$0] as? Int } ?? 0
            let path = decoder.codingPath.map { "\($0.stringValue)/\($0.intValue ?? -1)" }.joined(separator: ".")
            text = "\(given) \(path)"
        }
    }

    struct OddNames: Codable, Equatable {
        var a: Int?
        var b: String?
        var c: Int?
        var d: Int?
        enum CodingKeys: String, CodingKey { case a = "é", b = "日本", c = "K", d = "\"" }
    }

    struct Many: Codable, Equatable {
        var k0, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15, k16, k17, k18, k19: Int?
        var k20, k21, k22, k23, k24, k25, k26, k27, k28, k29, k30, k31, k32, k33, k34, k35, k36: Int?
        var a: Int
    }
}
