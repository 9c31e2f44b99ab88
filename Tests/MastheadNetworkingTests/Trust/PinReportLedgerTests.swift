import FoundationEssentials
import MastheadNetworking
import Testing

@Suite("The ledger of reports")
struct PinReportLedgerTests {
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    private func admits(_ ledger: inout PinReportLedger, _ key: String, at date: Date) -> Bool {
        guard ledger.admits(key, at: date) else { return false }
        ledger.enqueue(key)
        return true
    }

    private func ended(
        _ ledger: inout PinReportLedger,
        _ key: String,
        _ outcome: PinReportLedger.Outcome
    ) -> PinReportLedger.Step {
        ledger.ended(key, outcome)
    }

    @Test("pinning case 41: takes the same report once in 24 hours, and another one at once")
    func silence() {
        var ledger = PinReportLedger()
        var admitted: [Bool] = []
        for (key, hours) in [("a", 0), ("a", 0), ("b", 0), ("a", 23.99), ("a", 24), ("a", 30)] as [(String, Double)] {
            let isAdmitted = admits(&ledger, key, at: start + hours * 3600)
            admitted.append(isAdmitted)
            if isAdmitted { _ = ledger.ended(key, .delivered) }
        }

        #expect(admitted == [true, false, true, false, true, false])
    }

    @Test("does not take a report again that still waits, however long")
    func waits() {
        var ledger = PinReportLedger()
        #expect(admits(&ledger, "a", at: start))
        #expect(!admits(&ledger, "a", at: start + 90_000))
        #expect(ledger.waiting == ["a"])
    }

    @Test("pinning case 43: has room for so many that wait and so many in 24 hours, whatever is shown to it")
    func bounds() {
        var ledger = PinReportLedger()
        let first = (0..<10_000).filter { admits(&ledger, "w\($0)", at: start) }.count
        #expect(first == CertificatePinning.maximumReports && ledger.waiting.count == first)

        var delivered = 0
        for number in 0..<10_000 {
            while let key = ledger.next {
                _ = ledger.ended(key, .delivered)
                delivered += 1
            }
            _ = admits(&ledger, "d\(number)", at: start)
        }
        #expect(delivered == PinReportLedger.maximumRemembered)
        #expect(ledger.made.count == PinReportLedger.maximumRemembered)
        #expect(admits(&ledger, "later", at: start + 86_400))
        #expect(ledger.made.count == 1)
    }

    @Test("pinning case 43: waits longer after each failure, and lets a report go after the eighth")
    func backsOff() {
        var ledger = PinReportLedger()
        _ = admits(&ledger, "a", at: start)
        _ = admits(&ledger, "b", at: start)
        var waits: [Duration] = []
        for _ in 0..<8 {
            let step = ledger.ended("a", .failed)
            waits.append(step.wait)
            #expect(step.isDone == (waits.count == 8))
        }

        #expect(waits == [60, 120, 240, 480, 960, 1920, 3600, 3600].map { .seconds($0) })
        #expect(ledger.waiting == ["b"])
        #expect(
            ended(&ledger, "b", .failed) == .init(isDone: true, wait: .seconds(3600)),
            "what stands behind it is tried once"
        )
    }

    @Test("begins anew when one was delivered, and drops at once what is not wanted")
    func recovers() {
        var ledger = PinReportLedger()
        for key in ["a", "b", "c"] { _ = admits(&ledger, key, at: start) }
        #expect(ended(&ledger, "a", .failed) == .init(isDone: false, wait: .seconds(60)))
        #expect(ended(&ledger, "a", .delivered) == .init(isDone: true, wait: .zero))
        #expect(ended(&ledger, "b", .failed) == .init(isDone: false, wait: .seconds(60)))
        #expect(ended(&ledger, "b", .refused) == .init(isDone: true, wait: .zero))
        #expect(ledger.waiting == ["c"])
    }

    @Test("forgets a report of a day that is yet to come: the clock was wrong then")
    func clockSetBack() {
        var ledger = PinReportLedger(made: ["a": start + 10 * 86_400])
        #expect(admits(&ledger, "a", at: start))
    }
}
