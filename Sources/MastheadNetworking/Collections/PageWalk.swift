/// One iteration through the pages of a list.
final class PageWalk<Element: Sendable> {
    typealias Step = () async throws(RepositoryError) -> [Element]?

    private let pin: SessionPin
    private var step: Step?

    /// Makes a walk.
    ///
    /// - Parameters:
    ///   - pin: The sessions it keeps to.
    ///   - step: Reads the next page; `nil` after the last. It is asked no more after that, or after a failure.
    init(in pin: SessionPin, step: @escaping Step) {
        self.pin = pin
        self.step = step
    }

    /// The next page; `nil` after the last, and after a failure has been thrown.
    func next() async throws(RepositoryError) -> [Element]? {
        guard let step else { return nil }
        do throws(RepositoryError) {
            if Task.isCancelled { throw .cancelled }
            try pin.check()
            let page = try await step()
            try pin.check()
            if page == nil { end() }
            return page
        } catch {
            end()
            throw error
        }
    }

    /// Ends the walk, and what it reads ahead.
    func end() {
        step = nil
    }
}
