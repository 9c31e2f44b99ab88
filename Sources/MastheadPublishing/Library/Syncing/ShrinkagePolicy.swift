/// When a list that came back shorter is believed.
///
/// An entry that is missing from a list is taken out, and goes if nothing else holds it. But a list that is empty, or has
/// lost more than a share of what it held, takes nothing out by itself: the app is asked.
///
/// ```swift
/// let library = try await Library(directory: folder, catalogue: catalogue, shrinkage: .asks { list in
///     await confirm("\(list.missing.count) entries are gone. Remove them?") ? .unlink : .keep
/// })
/// ```
public struct ShrinkagePolicy: Sendable {
    private let share: Double
    private let decide: @Sendable (ShrunkenList) async -> ShrunkenList.Answer

    /// Keeps everything of such a list, and says so in ``SyncReport/keptLists``.
    public static var keeps: ShrinkagePolicy { asks { _ in .keep } }

    /// Believes every list.
    public static var believes: ShrinkagePolicy { asks { _ in .unlink } }

    /// Asks.
    ///
    /// - Parameters:
    ///   - share: How much of a list may be missing without a question, from 0 for nothing to 1 for all but everything.
    ///   - decide: Gives the answer; nothing is locked meanwhile.
    /// - Returns: The policy.
    public static func asks(
        beyond share: Double = 0.5,
        _ decide: @escaping @Sendable (ShrunkenList) async -> ShrunkenList.Answer
    ) -> ShrinkagePolicy {
        ShrinkagePolicy(share: share, decide: decide)
    }

    /// Whether what is missing of a list is to stay, of a number of entries that it had.
    func keeps(_ list: ShrunkenList, known: Int) async -> Bool {
        guard !list.missing.isEmpty else { return false }
        guard list.isEmpty || Double(list.missing.count) > share * Double(known) else { return false }
        return await decide(list) == .keep
    }
}
