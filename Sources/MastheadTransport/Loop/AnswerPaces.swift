/// How soon each of the servers answers that a loop has to do with.
struct AnswerPaces {
    private static let maximumCount = 64

    private let longestWait: Duration
    private var paces: [Origin: AnswerPace] = [:]

    init(longestWait: Duration) {
        self.longestWait = longestWait
    }

    subscript(origin: Origin) -> AnswerPace {
        get { paces[origin] ?? AnswerPace(longestWait: longestWait) }
        _modify {
            // Who asks that many doesn't ask one of them again and again.
            if paces.count >= Self.maximumCount, paces[origin] == nil { paces.removeAll() }
            yield &paces[origin, default: AnswerPace(longestWait: longestWait)]
        }
    }
}
