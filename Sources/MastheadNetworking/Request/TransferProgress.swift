/// How far a body is on its way.
///
/// ```swift
/// .put("book", body: .file(path).onProgress { bar.value = $0.fraction ?? 0 })
/// ```
public struct TransferProgress: Sendable, Hashable {
    /// The bytes so far; of a download that was resumed, those of before too.
    public var completed: Int

    /// The bytes in all; `nil` if nobody knows.
    public var total: Int?

    /// Makes a progress.
    public init(completed: Int, total: Int?) {
        self.completed = completed
        self.total = total
    }

    /// The part that is done, from 0 to 1; `nil` if nobody knows how much there is.
    public var fraction: Double? {
        guard let total else { return nil }
        return total > 0 ? min(1, Double(completed) / Double(total)) : 1
    }
}
