import FoundationEssentials
import MastheadJSON
import Testing

/// Our decoder against Foundation's: the same value, or the same error at the same place.
@Suite("The decoder beside Foundation's")
struct DifferentialTests {
    /// script/soak json makes 5,000 documents for each type, 265,000 in all.
    private static let documents = ProcessInfo.processInfo.environment["MASTHEAD_SOAK"] == "1" ? 5000 : 120

    static let candidates: [Candidate] = [
        Candidate(String.self), Candidate(Int.self), Candidate(Double.self), Candidate(Bool.self),
        Candidate(Float.self), Candidate(UInt64.self), Candidate([String].self), Candidate([Int].self),
        Candidate([Int8].self), Candidate([Double?].self), Candidate([String: Int].self),
        Candidate([Int: String].self), Candidate([String: [String: Bool]].self),
        Candidate([Models.AnyKey: Int].self), Candidate([Models.Color: Int].self), Candidate(Date.self),
        Candidate([Date].self), Candidate(Data.self), Candidate([String: Data].self), Candidate(URL.self),
        Candidate([URL?].self), Candidate(Decimal.self), Candidate([Decimal].self), Candidate(String?.self),
        Candidate(Int??.self), Candidate([[Int]].self), Candidate(Set<Int>.self), Candidate(UUID.self),
        Candidate(Range<Int>.self), Candidate(Models.Color.self), Candidate([Models.Level].self),
        Candidate(Models.Flat.self), Candidate(Models.Wide.self), Candidate(Models.Floats.self),
        Candidate(Models.Optionals.self), Candidate(Models.Nested.self, anyOrder: true), Candidate(Models.Tree.self),
        Candidate(Models.Expression.self), Candidate([Models.Shape].self), Candidate(Models.Derived.self),
        Candidate([Models.Named].self), Candidate([Models.Polymorphic].self), Candidate(Models.Dynamic.self),
        Candidate(Models.Mixed.self), Candidate(Models.Either.self), Candidate(Models.Wrapper.self),
        Candidate(Models.Box<Models.Optionals>.self), Candidate(Models.SnakeCase.self, anyOrder: true),
        Candidate(Models.Lists.self), Candidate(Models.Flattened.self), Candidate(Models.Defaults.self),
        Candidate([Models.Strict].self), Candidate([String: Models.Late].self),
        Candidate([String: [Models.Informed]].self), Candidate(Models.OddNames.self), Candidate(Models.Many.self),
    ]

    @Test("says the same of any document", arguments: candidates.indices)
    func agrees(index: Int) {
        let candidate = Self.candidates[index]
        var random = SeededGenerator(seed: UInt64(index))
        var failures = 0
        for number in 0..<Self.documents {
            let sample = candidate.sample(&random)
            for _ in 0..<(number % 4) { sample.spoil(using: &random) }
            var bytes = sample.written(using: &random)
            if number % 8 == 7 { Self.mutate(&bytes, &random) }
            let strategies = Strategies.all[Int.random(in: 0..<Strategies.all.count, using: &random)]
            let (difference, _) = candidate.compare(Data(bytes), strategies)
            if let difference, failures < 5 {
                failures += 1
                Issue.record(
                    "\(candidate.name), \(strategies.name): \(String(decoding: bytes, as: UTF8.self)): \(difference)"
                )
            }
        }
    }

    @Test("differs by a rule where it is meant to")
    func differsByRules() {
        let cases: [(Candidate, String, Rule)] = [
            (Candidate([Int8].self), "[1, 300]", .placedNumber),
            (Candidate([Int].self), "[1.00000000000000000001]", .exactInteger),
            (Candidate([String: Int].self), #"{"a": 1, "b": "\ud800"}"#, .wholeGrammar),
        ]
        for (candidate, json, rule) in cases {
            let (difference, found) = candidate.compare(Data(json.utf8), Strategies.all[0])
            #expect(difference == nil)
            #expect(found == rule)
        }
        let dates = Candidate([String: Date].self).compare(Data(#"{"a": "soon"}"#.utf8), Strategies.all[2])
        #expect(dates.difference == nil)
        #expect(dates.rule == .placedDate)
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let marks = Array(#"{}[]",:\u0eE+-.1 tfn"#.utf8) + [0x00, 0x1F, 0x7F, 0x80, 0xC3, 0xE2, 0xED, 0xF0, 0xFF]
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes.remove(at: place)
            case 1: bytes.insert(marks.randomElement(using: &random) ?? 0x20, at: place)
            case 2: bytes[place] = marks.randomElement(using: &random) ?? 0x20
            default: bytes.removeSubrange(place...)
            }
        }
    }
}
