import MastheadLock
import MastheadSQLite
import MastheadTransport

/// Makes many models into bytes while others of them are being written.
///
/// A thread of its own works ahead of the one who writes, as far as memory is to hold; who writes works with it where he
/// would have to wait, so that there may be no such thread. It is used once: for whoever must begin again there is another.
package final class ModelMill: Sendable {
    /// Makes the model at a place into bytes, and puts it to the others.
    package typealias Make = @Sendable (_ place: Int, _ batch: inout ModelBatch) throws(CacheError) -> Void

    /// The bytes of one batch, about: the rest of one that has so many is left for the next.
    package static let batchSize = 128 << 10

    /// How many bytes may be ready before they are wanted.
    package static let room = 2 << 20

    /// How many batches the one who writes makes alone before there is a thread beside: few models are made in less time
    /// than a thread takes to start, and to get in the way of others.
    package static let batchesAlone = 8

    fileprivate struct State {
        let count: Int
        /// The place of the next model to be written.
        var wanted = 0
        /// What nobody has begun yet, in order.
        var left: [Range<Int>]
        var ready: [Int: (batch: ModelBatch, end: Int)] = [:]
        var readyBytes = 0
        var spare: [ModelBatch] = []
        /// How many models a batch has.
        var span = 8
        var failure: CacheError?
        var isStopped = false
        /// Whether the room was full, and is not half empty yet.
        var isFull = false
        /// How many batches were made.
        var made = 0
        /// Whether there is a thread beside, or shall be none.
        var hasHelp: Bool
    }

    /// What somebody who works here does next.
    fileprivate enum Step {
        case take(ModelBatch)
        case make(Range<Int>, ModelBatch)
        case fail(CacheError)
        case end
    }

    private let state: Monitor<State>
    private let make: Make

    /// - Parameters:
    ///   - count: How many models there are.
    ///   - isHelped: Whether a thread works ahead if there are many.
    ///   - make: What makes one of them; it is called on several threads.
    package init(count: Int, isHelped: Bool = true, make: @escaping Make) {
        self.make = make
        state = Monitor(State(count: count, left: count > 0 ? [0..<count] : [], hasHelp: !isHelped))
    }

    /// Begins to work ahead.
    package func start() {
        state.withLock { $0.hasHelp = true }
        // Scheduled as the one who writes is: woken by him, it would take his processor.
        _ = OwnThread.start { self.workAhead() }
    }

    /// Makes no more.
    package func stop() {
        state.withLock { $0.isStopped = true }
    }

    /// Whether somebody waits for room, or for what another makes.
    package var isAwaited: Bool { state.isAwaited }

    /// The next models in order; `nil` when there are no more.
    ///
    /// - Throws: What kept one of them from being made, be it one of the next or of those behind them.
    package func next() throws(CacheError) -> ModelBatch? {
        while true {
            switch nextStep() {
            case .take(let batch): return batch
            case .make(let range, let spare):
                work(range, spare)
                if state.quietly({ $0.isToBeHelped }) { start() }
            case .fail(let error): throw error
            case .end: return nil
            }
        }
    }

    /// What the one who writes does next, once there is something.
    private func nextStep() -> Step {
        if let step = state.attempt(tellingIf: { !$0.isFull }, { $0.nextForWriter() }) { return step }
        return Patience.pause { state.wait(tellingIf: { !$0.isFull }, { $0.nextForWriter() }) }
    }

    /// Takes the memory of a batch back.
    package func giveBack(_ batch: ModelBatch) {
        state.quietly { $0.spare.append(batch) }
    }

    private func workAhead() {
        while case .make(let range, let spare) = state.wait({ $0.nextForHelper() }) { work(range, spare) }
    }

    /// Makes a batch, or the begin of one if there is much in it.
    private func work(_ range: Range<Int>, _ spare: consuming ModelBatch) {
        // Its memory is nobody else's, and is kept.
        var batch = consume spare
        batch.empty()
        var place = range.lowerBound
        var failure: CacheError?
        // The app's own code is run, which may start threads that are scheduled as this one is.
        Patience.pause {
            do throws(CacheError) {
                while place < range.upperBound, batch.bytes.count < Self.batchSize {
                    try make(place, &batch)
                    place += 1
                }
            } catch {
                failure = error
            }
        }
        state.withLock { [batch, place, failure] in $0.put(batch, range.lowerBound..<place, of: range, failure) }
    }
}

extension ModelMill.State {
    fileprivate mutating func nextForWriter() -> ModelMill.Step? {
        if let failure { return .fail(failure) }
        if let (batch, end) = ready.removeValue(forKey: wanted) {
            wanted = end
            readyBytes -= batch.bytes.count
            // Whoever works ahead is woken for much at a time: that takes as long as a few models do.
            if readyBytes <= ModelMill.room / 2 { isFull = false }
            return .take(batch)
        }
        guard wanted < count else { return .end }
        // What is wanted is being made beside, if it is not among what is left.
        return take()
    }

    /// Whether there is much to be made and nobody beside who makes it.
    fileprivate var isToBeHelped: Bool { !hasHelp && made >= ModelMill.batchesAlone && !left.isEmpty }

    fileprivate mutating func nextForHelper() -> ModelMill.Step? {
        guard !isStopped, failure == nil, !left.isEmpty else { return .end }
        return take()
    }

    /// The next places that nobody has begun, if they are wanted now or there is room for what is made of them.
    private mutating func take() -> ModelMill.Step? {
        if readyBytes >= ModelMill.room { isFull = true }
        guard let first = left.first, !isFull || first.lowerBound == wanted else { return nil }
        let end = min(first.upperBound, first.lowerBound + span)
        if end == first.upperBound { left.removeFirst() } else { left[0] = end..<first.upperBound }
        return .make(first.lowerBound..<end, spare.popLast() ?? ModelBatch())
    }

    /// Takes what was made of some places.
    fileprivate mutating func put(_ batch: ModelBatch, _ made: Range<Int>, of range: Range<Int>, _ failure: CacheError?)
    {
        self.failure = self.failure ?? failure
        if made.upperBound < range.upperBound {
            let rest = made.upperBound..<range.upperBound
            left.insert(rest, at: left.firstIndex { $0.lowerBound > rest.lowerBound } ?? left.endIndex)
        }
        // As many as should fill the next, so that few ranges have a rest.
        span = min(max(1, batch.models.count * ModelMill.batchSize / max(1, batch.bytes.count)), 256)
        self.made += 1
        readyBytes += batch.bytes.count
        ready[made.lowerBound] = (batch, made.upperBound)
    }
}
