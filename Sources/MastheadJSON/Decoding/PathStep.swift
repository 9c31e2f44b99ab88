/// One step of a coding path, not yet made a key.
enum PathStep {
    case none
    case index(Int)
    case key(any CodingKey)

    /// The step as a key.
    var key: (any CodingKey)? {
        switch self {
        case .none: nil
        case .index(let index): TapeKey(index: index)
        case .key(let key): key
        }
    }
}

/// A key of a place that no model has a key for.
struct TapeKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    static let `super` = TapeKey(stringValue: "super")

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "\(intValue)"
        self.intValue = intValue
    }

    /// As Foundation has it: a member of that name is something else.
    init(index: Int) {
        stringValue = "Index \(index)"
        intValue = index
    }
}
