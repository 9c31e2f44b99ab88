/// The prepared statements of one connection.
///
/// Those from literals are found by the literal's address, in a table with open addressing; the program has a bounded
/// number of them. Of those put together at run time, the last few are kept.
struct StatementCache {
    private var table: [Statement?] = Array(repeating: nil, count: 64)
    private var tableCount = 0
    private var recent: [Statement] = []
    private let recentLimit: Int

    init(recentLimit: Int = 24) {
        self.recentLimit = recentLimit
    }

    var count: Int { tableCount + recent.count }

    /// The statement prepared from this text, if it was kept.
    mutating func find(_ sql: SQL) -> Statement? {
        switch sql.text {
        case .literal(let text):
            return table[slot(of: text)]
        case .dynamic(let text):
            guard let index = recent.firstIndex(where: { $0.isPrepared(from: text) }) else { return nil }
            let statement = recent.remove(at: index)
            recent.append(statement)
            return statement
        }
    }

    /// Keeps a statement that was not found.
    mutating func keep(_ statement: Statement) {
        switch statement.sql.text {
        case .literal(let text):
            if tableCount * 2 >= table.count { grow() }
            table[slot(of: text)] = statement
            tableCount += 1
        case .dynamic:
            if recent.count >= recentLimit { recent.removeFirst() }
            recent.append(statement)
        }
    }

    mutating func removeAll() {
        self = Self(recentLimit: recentLimit)
    }

    /// Where the statement of this literal is, or would be.
    private func slot(of text: StaticString) -> Int {
        let mask = table.count - 1
        let address = UInt(bitPattern: text.utf8Start)
        // Fibonacci hashing: literals stand close together.
        var index = Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) >> 40) & mask
        while let other = table[index] {
            if other.address == text.utf8Start { break }
            index = (index + 1) & mask
        }
        return index
    }

    private mutating func grow() {
        let old = table
        table = Array(repeating: nil, count: old.count * 2)
        for case let statement? in old {
            guard case .literal(let text) = statement.sql.text else { continue }
            table[slot(of: text)] = statement
        }
    }
}

extension Statement {
    fileprivate func isPrepared(from text: String) -> Bool {
        guard case .dynamic(let own) = sql.text else { return false }
        return own == text
    }
}
