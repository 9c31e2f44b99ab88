import Foundation

/// A scenario's result: one line of JSON, its members in the order that people read them in.
struct ScenarioLine: Decodable {
    let scenario: String
    let unit: String
    let ours: Double?
    let peer: Double?
    let floor: Double?
    let toPeer: Double?
    let toFloor: Double?
    let cpuPer10k: Double?
    let p50: Double?
    let p99: Double?
    let switches: Double?
    let rssMiB: Double?
    let pairs: Int
    let low: Double?
    let high: Double?
    let note: String

    /// The line without its end.
    var json: String {
        let numbers: [(String, Double?)] = [
            ("ours", ours), ("peer", peer), ("floor", floor), ("toPeer", toPeer), ("toFloor", toFloor),
            ("cpuPer10k", cpuPer10k), ("p50", p50), ("p99", p99), ("switches", switches), ("rssMiB", rssMiB),
            ("pairs", Double(pairs)), ("low", low), ("high", high),
        ]
        let members =
            ["\"scenario\": \(Self.quoted(scenario))", "\"unit\": \(Self.quoted(unit))"]
            + numbers.map { "\"\($0.0)\": \($0.1?.rounded(toDigits: 4) ?? "null")" }
            + ["\"note\": \(Self.quoted(note))"]
        return "{\(members.joined(separator: ", "))}"
    }

    /// Reads a line back and checks what must hold of every one, whatever the machine.
    ///
    /// - Throws: What is wrong with it.
    static func check(_ json: String) throws(BenchError) {
        let line: ScenarioLine
        do {
            line = try JSONDecoder().decode(ScenarioLine.self, from: Data(json.utf8))
        } catch {
            throw BenchError("not a line of JSON as it should be: \(json): \(error)")
        }
        let numbers = [line.ours, line.cpuPer10k, line.p50, line.p99, line.switches, line.rssMiB, line.low, line.high]
        guard !json.contains("\n"), line.pairs > 0, numbers.allSatisfy({ $0.map { $0 >= 0 } ?? false }) else {
            throw BenchError("a number is missing or wrong: \(json)")
        }
        guard (line.peer == nil) == (line.toPeer == nil), (line.floor == nil) == (line.toFloor == nil),
            line.peer != nil || line.floor != nil
        else { throw BenchError("a ratio without its side, or a side without its ratio: \(json)") }
    }

    private static func quoted(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
