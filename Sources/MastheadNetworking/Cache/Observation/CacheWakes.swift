/// The wakes of one who observes a partition.
struct CacheWakes: Sendable {
    /// They end when the reader lets go of them or the partition ends.
    let stream: AsyncStream<Void>

    /// Wakes the reader, and nobody else.
    let ring: @Sendable () -> Void

    /// None, and the end.
    static let over = CacheWakes(stream: AsyncStream { $0.finish() }) {}

    /// Wakes the reader after so many tries in vain to read: after a tenth of a second, then after twice the time of the
    /// last, and after half a minute at most.
    ///
    /// - Returns: The wait, to be cancelled by who is woken before.
    func ring(after tries: Int, on time: any TimeSource) -> Task<Void, Never> {
        let wait = min(Duration.milliseconds(100) * (1 << min(tries, 16)), .seconds(30))
        let end = time.now + wait
        return Task { [ring] in
            guard (try? await time.sleep(until: end)) != nil else { return }
            ring()
        }
    }
}
