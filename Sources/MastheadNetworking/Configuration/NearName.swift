/// The known name that a mistyped one is nearest to.
struct NearName {
    /// The name; `nil` if none is near.
    let name: String?

    /// The end of an error's sentence: a question, or nothing.
    var hint: String { name.map { "; did you mean \($0)?" } ?? "" }

    init(_ mistyped: String, among known: [String]) {
        // Beyond this nothing is near, and the table below stays small whatever a file holds.
        let text = Array(mistyped.lowercased().utf8.prefix(64))
        let nearest = known.map { (name: $0, distance: Self.distance(text, Array($0.lowercased().utf8))) }
            .min { $0.distance < $1.distance }
        name = nearest.flatMap { $0.distance <= max(2, $0.name.utf8.count / 4) ? $0.name : nil }
    }

    /// How many letters must be put in, taken out or changed to make one of the other.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var previous = Array(0...right.count)
        for (row, byte) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                let change = previous[column] + (byte == other ? 0 : 1)
                current.append(min(change, previous[column + 1] + 1, current[column] + 1))
            }
            previous = current
        }
        return previous[right.count]
    }
}
