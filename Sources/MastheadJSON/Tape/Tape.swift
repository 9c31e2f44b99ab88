/// The values of a document in their order, a word or two each.
final class Tape {
    private(set) var words: UnsafeMutablePointer<UInt64>
    private(set) var capacity: Int
    var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        words = .allocate(capacity: capacity)
    }

    deinit { words.deallocate() }

    /// Makes room for as many words again.
    func grow() {
        let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity * 2)
        larger.update(from: words, count: count)
        words.deallocate()
        words = larger
        capacity *= 2
    }
}
