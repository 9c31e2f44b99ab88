import FoundationEssentials

/// Models that encode themselves by hand.
enum EncodingModels {
    typealias AnyKey = Models.AnyKey

    /// Does anything with the encoder that it is given.
    struct ByHand: Encodable {
        let write: @Sendable (any Encoder) throws -> Void

        func encode(to encoder: any Encoder) throws { try write(encoder) }
    }

    /// A model as the compiler encodes it.
    struct Limits<Number: Codable>: Encodable {
        let least: Number
        let most: Number?
    }

    private static func key(_ name: String) -> AnyKey { AnyKey(stringValue: name) }

    static let nothing = ByHand { _ in }

    /// Says where it stands.
    static let path = ByHand { encoder in
        var container = encoder.singleValueContainer()
        let path = container.codingPath.map { "\($0.stringValue)/\($0.intValue ?? -1)" }
        try container.encode((path + encoder.codingPath.map(\.stringValue)).joined(separator: "."))
    }

    /// All that goes in one go.
    static let inOrder: [String: ByHand] = [
        "no members": ByHand { _ = $0.container(keyedBy: AnyKey.self) },
        "no elements": ByHand { _ = $0.unkeyedContainer() },
        "null": ByHand { encoder in
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        },
        "nothing in members": ByHand { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(nothing, forKey: key("a"))
            try container.encodeNil(forKey: key("b"))
            _ = container.superEncoder()
            _ = container.superEncoder(forKey: key("c"))
            _ = container.nestedContainer(keyedBy: AnyKey.self, forKey: key("d"))
            _ = container.nestedUnkeyedContainer(forKey: key("e"))
            try container.encode([nothing, nothing], forKey: key("f"))
        },
        "nested objects": ByHand { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: key("a"))
            var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: key("b"))
            try nested.encode("x", forKey: key("a"))
            var deeper = nested.nestedUnkeyedContainer(forKey: key("c"))
            try deeper.encode(1)
            try deeper.encode("two")
            try deeper.encodeNil()
            try deeper.encode(["x": Date(timeIntervalSinceReferenceDate: 1.5)])
            var deepest = deeper.nestedContainer(keyedBy: AnyKey.self)
            try deepest.encode([1: true], forKey: key("p"))
            try deeper.encode(deeper.count)
            try "of a super class".encode(to: deeper.superEncoder())
            var list = deeper.nestedUnkeyedContainer()
            try list.encode(list.codingPath.count)
            try nested.encode(nested.codingPath.count, forKey: key("d"))
            try container.encode(path, forKey: key("e"))
            try path.encode(to: container.superEncoder())
            try path.encode(to: container.superEncoder(forKey: key("f")))
        },
        "one object in two goes": ByHand { encoder in
            var first = encoder.container(keyedBy: AnyKey.self)
            try first.encode(1, forKey: key("a"))
            var second = encoder.container(keyedBy: Models.AnyKey.self)
            try second.encode(2, forKey: key("b"))
            try first.encode(3, forKey: key("c"))
        },
        "one array in two goes": ByHand { encoder in
            var first = encoder.unkeyedContainer()
            try first.encode(1)
            var second = encoder.unkeyedContainer()
            try second.encode(second.count)
        },
        "values of one value": ByHand { encoder in
            var container = encoder.singleValueContainer()
            let numbers = [1.5, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, 1e22, 1e-7, 100]
            try container.encode(["a": numbers])
        },
        "names that are not ASCII": ByHand { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            for name in ["\u{E9}", "e", "\u{301}", "E\u{301}", "\u{1F4D6}"] {
                try container.encode(1, forKey: key(name))
            }
        },
        "many names": ByHand { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            for number in 0..<300 { try container.encode(number, forKey: key("\(number * 7)")) }
        },
    ]

    /// What cannot be written from the first to the last.
    static let outOfOrder: [String: ByHand] = [
        "a nested object after its time": ByHand { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: key("n"))
            try container.encode(1, forKey: key("a"))
            try nested.encode(2, forKey: key("b"))
        },
        "a nested array after its time": ByHand { encoder in
            var list = encoder.unkeyedContainer()
            var nested = list.nestedUnkeyedContainer()
            try list.encode(1)
            try nested.encode(2)
        },
        "a super class's encoder after its time": ByHand { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            let later = container.superEncoder()
            try container.encode(1, forKey: key("a"))
            try path.encode(to: later)
        },
        "a nested object after another has begun": ByHand { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            var first = container.nestedContainer(keyedBy: AnyKey.self, forKey: key("a"))
            var second = container.nestedContainer(keyedBy: AnyKey.self, forKey: key("b"))
            try second.encode(1, forKey: key("c"))
            try first.encode(2, forKey: key("d"))
        },
        "a super class's encoder after another has begun": ByHand { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            let first = container.superEncoder(forKey: key("a"))
            var second = container.superEncoder(forKey: key("b")).container(keyedBy: AnyKey.self)
            try second.encode(1, forKey: key("c"))
            var late = first.container(keyedBy: AnyKey.self)
            try late.encode(2, forKey: key("d"))
        },
        "an object within one that is over": ByHand { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            var nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: key("n"))
            try container.encode(1, forKey: key("a"))
            var deeper = nested.nestedContainer(keyedBy: AnyKey.self, forKey: key("b"))
            try deeper.encode(1, forKey: key("c"))
        },
        "a name twice": ByHand { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: key("name"))
            try container.encode(2, forKey: key("other"))
            try container.encode(3, forKey: key("name"))
        },
        "a name twice, and the errors passed over": ByHand { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: key("name"))
            try? container.encode(2, forKey: key("name"))
            try? container.encode(3, forKey: key("last"))
        },
        "a member that fails halfway, and is passed over": ByHand { encoder in
            struct Refusal: Error {}
            let half = ByHand { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(1, forKey: key("half"))
                throw Refusal()
            }
            var container = encoder.container(keyedBy: AnyKey.self)
            try? container.encode(half, forKey: key("a"))
            try container.encode(2, forKey: key("b"))
        },
        "the count of an array after its time": ByHand { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            var list = container.nestedUnkeyedContainer(forKey: key("list"))
            try list.encode("x")
            try container.encode(true, forKey: key("a"))
            try container.encode(list.count, forKey: key("count"))
        },
        "the path of an array after its time": ByHand { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            let list = container.nestedUnkeyedContainer(forKey: key("list"))
            try container.encode(true, forKey: key("a"))
            try container.encode(list.codingPath.map(\.stringValue), forKey: key("path"))
        },
        "one name in two spellings of Unicode": ByHand { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: key("\u{E9}"))
            try container.encode(2, forKey: key("e\u{301}"))
        },
        "one name in two spellings of Unicode, of which one is ASCII": ByHand { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            try container.encode(1, forKey: key("\u{212A}"))
            try container.encode(2, forKey: key("K"))
        },
        "more names than are compared": ByHand { encoder in
            var container = encoder.container(keyedBy: AnyKey.self)
            for number in 0..<1200 { try container.encode(number, forKey: key("\(number)")) }
        },
    ]
}
