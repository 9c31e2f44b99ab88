import MastheadNetworking
import MastheadPublishing
import Proofreading

/// The walk through the main job of an app that reads periodicals.
final class Tour {
    /// What ended the walk early.
    struct Stop: Error {
        let message: String
    }

    let terminal: Terminal
    let ledger: Ledger
    let options: Options

    /// What must come, where that is known.
    let manifest: Manifest?

    private var part = 0
    private(set) var partName = ""

    init(_ options: Options, _ terminal: Terminal, manifest: Manifest?) {
        self.options = options
        self.terminal = terminal
        self.manifest = manifest
        ledger = Ledger(terminal)
    }

    /// Begins the next part: its name, and the lines of code an app has for it.
    func begin(_ name: String, code: String) {
        if options.isStepwise { terminal.pause() }
        part += 1
        partName = name
        terminal.title("\(part)  \(name)")
        terminal.code(code)
    }

    /// Waits for something that must succeed; its failure ends the walk.
    func need<Value: Sendable>(_ what: String, _ result: Result<Value, RepositoryError>) throws(Stop) -> Value {
        switch result {
        case .success(let value): return value
        case .failure(let error): throw Stop(message: "\(what): \(Self.name(of: error))")
        }
    }

    /// Compares what came with the manifest, where there is one.
    func compare(
        _ text: String,
        _ kind: String,
        _ expected: KeyPath<Manifest.Catalogue, [Manifest.Entry]>,
        _ actual: [Manifest.Entry]
    ) {
        let differences = manifest.map {
            Manifest.differences(kind, expected: $0.production[keyPath: expected], actual: actual)
        }
        ledger.note(text, differences: differences ?? [])
    }

    /// What an error says of itself.
    static func name(of error: RepositoryError) -> String {
        "\(error)"
    }
}
