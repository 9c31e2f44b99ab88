/// Why a benchmark could not be run, in words for the person who ran it.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
