import MastheadTransport
import Testing

/// When a caller waits for an answer on the spot, and for how long.
struct AnswerPaceTests {
    /// A pace after answers that each took so many microseconds.
    private func near(answers count: Int = 20, microseconds: Int = 60) -> AnswerPace {
        var pace = AnswerPace()
        for _ in 0..<count { pace.note(answerAfter: .microseconds(microseconds)) }
        return pace
    }

    @Test("waits for nobody who is not known, and for none before several quick answers")
    func startsWithCaution() {
        var pace = AnswerPace()
        var count = 0
        while pace.wait() == nil {
            pace.note(answerAfter: .microseconds(50))
            count += 1
        }
        #expect(count == 7)
    }

    @Test("waits twice as long as answers take, but not much shorter than at most", arguments: [10, 60, 90, 125, 190])
    func waitsLongEnough(microseconds: Int) throws {
        var pace = near(microseconds: microseconds)
        let found = pace.wait()
        let wait = try #require(found)
        #expect(wait >= .microseconds(min(2 * microseconds, 250)))
        #expect(wait >= .microseconds(100))
        #expect(wait <= AnswerPace.usualWait)
    }

    @Test("waits for no server that needs longer than that", arguments: [250, 300, 5000, 30_000_000])
    func leavesSlowServers(microseconds: Int) {
        var pace = near(answers: 1000, microseconds: microseconds)
        let wait = pace.wait()
        #expect(wait == nil)
    }

    @Test("stops after one slow answer, however slow it was, and starts again after several quick ones")
    func stopsAtOnce() {
        var pace = near()
        let wait = pace.wait()
        #expect(wait != nil)
        pace.note(answerAfter: .seconds(3600))
        var count = 0
        while pace.wait() == nil {
            pace.note(answerAfter: .microseconds(60))
            count += 1
        }
        #expect((2...8).contains(count))
    }

    @Test("gives up on a server of whose answers every seventh is slow")
    func leavesUnsteadyServers() {
        var pace = near()
        var failures = 0
        for number in 0..<7000 {
            let isSlow = number % 7 == 0
            if pace.wait() != nil {
                if isSlow { failures += 1 }
                if isSlow { pace.noteFailure() } else { pace.noteSuccess() }
            }
            pace.note(answerAfter: .microseconds(isSlow ? 3000 : 60))
        }
        // Of a thousand that are slow.
        #expect(failures < 20)
    }

    @Test("lets exchanges pass after a wait in vain, twice as many each time, and fewer again after better ones")
    func backsOff() {
        var pace = near()
        func passes() -> Int {
            pace.noteFailure()
            var count = 0
            while pace.wait() == nil { count += 1 }
            return count
        }
        let passed = (0..<9).map { _ in passes() }
        #expect(passed == [8, 16, 32, 64, 128, 256, 512, 1024, 1024])
        for _ in 0..<1000 { pace.noteSuccess() }
        let fewer = passes()
        #expect(fewer == 24)
        for _ in 0..<1000 { pace.noteSuccess() }
        let fewest = passes()
        #expect(fewest == 8)
    }

    @Test("never waits where the longest wait is zero")
    func staysOff() {
        var pace = AnswerPace(longestWait: .zero)
        for _ in 0..<100 { pace.note(answerAfter: .zero) }
        let wait = pace.wait()
        #expect(wait == nil)
    }
}
