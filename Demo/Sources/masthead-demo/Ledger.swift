/// Keeps count of what was right and what was not.
final class Ledger {
    private let terminal: Terminal
    private(set) var facts = 0
    private(set) var problems: [String] = []

    init(_ terminal: Terminal) {
        self.terminal = terminal
    }

    /// Notes a fact, and says so.
    func note(_ text: String, _ isRight: Bool = true) {
        facts += 1
        if isRight {
            terminal.good(text)
        } else {
            problems.append("not so: \(text)")
            terminal.bad(text)
        }
    }

    /// Notes a fact that is made of many: right if nothing differs.
    func note(_ text: String, differences: [String]) {
        facts += 1
        problems += differences
        if differences.isEmpty { terminal.good(text) } else { terminal.bad(text) }
        for difference in differences.prefix(5) { terminal.detail(difference) }
        if differences.count > 5 { terminal.detail("… and \(differences.count - 5) more") }
    }
}
