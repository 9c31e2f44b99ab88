import FoundationEssentials
import MastheadNetworking
import Proofreading

extension Tour {
    /// What no model knows of is still there, in the answers as they came.
    func showRawAnswers(of production: Newsstand, _ staging: Newsstand, media: String) async throws(Stop) {
        guard let manifest else { return }
        begin(
            "Answers as they came, decoded by hand",
            code: """
                await performRaw(.get("\\(collection)/\\(id)")).flatMap { $0.decode(JSONValue.self) }
                """
        )
        var differences: [String] = []
        for path in manifest.collections.keys.sorted() {
            let words = path.split(separator: "/").map(String.init)
            let proofs = path.contains("staging") || path.contains("preview") ? staging.proofs : production.proofs
            let names = words.filter { $0 != "staging" }
            let result =
                names.count == 1
                ? await proofs.everything(in: names[0]) : await proofs.thing(names[1], in: names[0])
            let answer = try need(path, result)
            if try Self.sum(of: answer[names[0]] ?? .null, media: media) != manifest.collections[path] {
                differences.append("\(path): something in it that is no field of a model differs from the manifest")
            }
            terminal.progress(path)
        }
        ledger.note("\(manifest.collections.count) answers, down to what no model knows", differences: differences)
    }

    private static func sum(of value: JSONValue, media: String) throws(Stop) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(value) else { throw Stop(message: "an answer does not encode") }
        // The manifest knows nothing of the run's ports.
        let text = String(decoding: data, as: UTF8.self).replacing("\"" + media, with: "\"{media}/")
        return SHA256.hex(of: text.utf8)
    }
}
