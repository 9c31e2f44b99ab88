import Foundation
import MastheadLock
import MastheadTesting
import Testing

@Suite("ManualClock", .timeLimit(.minutes(1)))
struct ManualClockTests {
    @Test("stands still until it is turned, and never goes back")
    func turns() {
        let clock = ManualClock(date: Date(timeIntervalSince1970: 100))
        #expect(clock.now == .zero)
        clock.advance(by: .milliseconds(1500))
        clock.advance(by: .seconds(-5))
        #expect(clock.now == .milliseconds(1500))
        #expect(clock.date == Date(timeIntervalSince1970: 101.5))
    }

    @Test("has a wall clock that can be set, and runs on from there")
    func setsDate() {
        let clock = ManualClock()
        clock.date = Date(timeIntervalSince1970: 0)
        clock.advance(by: .seconds(2))
        #expect(clock.date == Date(timeIntervalSince1970: 2))
        #expect(clock.now == .seconds(2))
    }

    @Test("wakes whose deadline has come, and nobody else")
    func wakes() async throws {
        let clock = ManualClock()
        let woken = Lock<[Int]>([])
        let tasks = [1, 2, 3].map { second in
            Task {
                try await clock.sleep(until: .seconds(second))
                woken.withLock { $0.append(second) }
            }
        }
        try await clock.sleepers(count: 3)
        #expect(clock.nextDeadline == .seconds(1))

        clock.advance(by: .milliseconds(999))
        #expect(clock.nextDeadline == .seconds(1))
        clock.advance(by: .milliseconds(1))
        try #require(clock.nextDeadline == .seconds(2))
        try await tasks[0].value
        #expect(woken.withLock { $0 } == [1])

        #expect(clock.advanceToNextSleeper())
        try await tasks[1].value
        #expect(clock.now == .seconds(2))
        clock.advance(by: .seconds(100))
        try await tasks[2].value
        #expect(woken.withLock { $0 } == [1, 2, 3])
        #expect(!clock.advanceToNextSleeper())
    }

    @Test("does not sleep for what has passed")
    func passes() async throws {
        let clock = ManualClock()
        try await clock.sleep(until: .zero)
        clock.advance(by: .seconds(1))
        try await clock.sleep(until: .seconds(1))
    }

    @Test("throws to a sleeper whose task is cancelled, before or while it sleeps")
    func cancels() async throws {
        let clock = ManualClock()
        let sleeper = Task { try await clock.sleep(until: .seconds(1)) }
        try await clock.sleepers(count: 1)
        sleeper.cancel()
        await #expect(throws: CancellationError.self) { try await sleeper.value }
        #expect(clock.nextDeadline == nil)

        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(until: .zero)
        }
        await #expect(throws: CancellationError.self) { try await late.value }
    }

    @Test("ends each sleep exactly once, whatever cancels and turns at the same time")
    func races() async throws {
        let clock = ManualClock()
        let ends = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<2000 {
                group.addTask {
                    let sleeper = Task { try await clock.sleep(until: clock.now + .nanoseconds(1)) }
                    if index.isMultiple(of: 2) { sleeper.cancel() } else { clock.advance(by: .nanoseconds(1)) }
                    if index.isMultiple(of: 3) { clock.advance(by: .nanoseconds(1)) }
                    return (try? await sleeper.value) != nil
                }
            }
            group.addTask {
                // Whoever fell asleep after the last turn of the others.
                while !Task.isCancelled {
                    clock.advance(by: .nanoseconds(1))
                    await Task.yield()
                }
                return false
            }
            var ends = 0
            for await _ in group {
                ends += 1
                if ends == 2000 { group.cancelAll() }
            }
            return ends
        }
        #expect(ends == 2001)
        #expect(clock.nextDeadline == nil)
    }

    @Test("calls what wants to know of turns, outside of its lock, until told not to")
    func calls() {
        let clock = ManualClock()
        let turns = Lock<[Duration]>([])
        let stop = clock.onTurn { turns.withLock { $0.append(clock.now) } }
        clock.advance(by: .seconds(1))
        clock.advance(by: .seconds(1))
        clock.date = .distantPast
        stop()
        stop()
        clock.advance(by: .seconds(1))
        #expect(turns.withLock { $0 } == [.seconds(1), .seconds(2), .seconds(2)])
    }

    @Test("is let go when nobody uses it any more")
    func isReleased() {
        weak var released: ManualClock?
        var stop: (@Sendable () -> Void)?
        do {
            let clock = ManualClock()
            stop = clock.onTurn {}
            released = clock
        }
        #expect(released == nil)
        stop?()
    }
}
