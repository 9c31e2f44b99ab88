import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Says something on the standard output, at once.
package func say(_ text: StaticString) {
    _ = write(1, text.utf8Start, text.utf8CodeUnitCount)
}

/// Says a line on the standard output, at once.
package func say(_ line: String) {
    var line = line + "\n"
    line.withUTF8 { _ = write(1, $0.baseAddress, $0.count) }
}

/// Says of each transaction that it was begun, `T`, and that its statements are done, `t`; in one of them it waits to be
/// killed.
package final class TransactionTeller: Sendable {
    private let count = Atomic(0)
    private let stall: Int
    private let stallsAtBegin: Bool

    /// Waits in the transaction of a number, at its begin or before its commit; in none if it is 0.
    package init(stall: Int, atBegin: Bool) {
        self.stall = stall
        stallsAtBegin = atBegin
    }

    /// Tells that a transaction was begun, or that its statements are done.
    package func tell(_ isOpen: Bool) {
        let number = isOpen ? count.add(1, ordering: .relaxed).newValue : count.load(ordering: .relaxed)
        if isOpen { say("T" as StaticString) }
        if number == stall, isOpen == stallsAtBegin { sleep(2) }
        if !isOpen { say("t" as StaticString) }
    }
}
