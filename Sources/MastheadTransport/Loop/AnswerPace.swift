/// How soon a server answers, and by that whether whoever asks it waits for the answer on the spot, and for how long.
///
/// An answer that comes to the loop's thread reaches its caller through two changes of threads, which take longer than a
/// server on the same machine or the next one needs to answer. To wait for such a server costs less than it saves, as with
/// a lock that tries for a moment before it sleeps. The caller may be on a thread of Swift's, which nothing must block: so
/// nobody waits for a server that didn't answer at once the last times, nor for longer than the longest wait, and each
/// wait in vain doubles how many exchanges pass before the next one.
package struct AnswerPace: Sendable {
    /// The longest wait, if nobody says otherwise: about what two changes of threads cost on a busy machine.
    package static let usualWait = Duration.microseconds(250)

    /// How many exchanges pass after a wait in vain, at least and at most.
    private static let pauses = 8...1024

    private let longestWait: Duration
    /// How long answers took lately; at first the slowest, so that there are several before the first wait.
    private var estimate: Duration
    /// How many exchanges have still to pass.
    private var pause = 0
    /// How many are to pass after the next wait in vain.
    private var nextPause = pauses.lowerBound

    /// Makes the pace of a server that nothing is known of; where the longest wait is zero nobody ever waits.
    package init(longestWait: Duration = usualWait) {
        self.longestWait = longestWait
        estimate = longestWait * 4
    }

    /// How long to wait for the answer to what was just sent; `nil` to leave it to the loop's thread.
    ///
    /// Twice as long as answers took lately, but not much shorter than the longest wait: one that ends a little too soon has
    /// cost as much, for nothing.
    package mutating func wait() -> Duration? {
        guard pause == 0 else {
            pause -= 1
            return nil
        }
        guard longestWait > .zero, estimate <= longestWait * 4 / 5 else { return nil }
        return min(max(estimate * 2, longestWait * 2 / 5), longestWait)
    }

    /// Notes how long an answer took, whoever received it; how much longer than a few waits does not matter.
    package mutating func note(answerAfter time: Duration) {
        estimate = (estimate * 3 + min(time, longestWait * 4)) / 4
    }

    /// Notes that a wait brought the answer.
    package mutating func noteSuccess() {
        nextPause = max(Self.pauses.lowerBound, nextPause - 1)
    }

    /// Notes that a wait did not bring the answer, or held up somebody else.
    package mutating func noteFailure() {
        pause = nextPause
        nextPause = min(Self.pauses.upperBound, nextPause * 2)
    }
}
