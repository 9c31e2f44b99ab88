/// An ``OptimisticStore`` of three closures.
///
/// ```swift
/// OptimisticHooks(
///     onApply: { shelf.overlay($0) },
///     onCommit: { value, answer, remaining in shelf.settle(value, remaining) },
///     onRollback: { value, remaining in shelf.takeBack(value, remaining) }
/// )
/// ```
///
/// When the outbox is opened, `onApply` is called for each key that has a value.
public struct OptimisticHooks: OptimisticStore {
    private let onApply: @Sendable (OptimisticValue) async -> Void
    private let onCommit: @Sendable (OptimisticValue, HTTPResponse, OptimisticValue?) async -> Void
    private let onRollback: @Sendable (OptimisticValue, OptimisticValue?) async -> Void

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - onApply: Shows a value.
    ///   - onCommit: Takes a value for the server's, with its answer, and shows what remains.
    ///   - onRollback: Takes a value back, and shows what remains.
    public init(
        onApply: @escaping @Sendable (OptimisticValue) async -> Void = { _ in },
        onCommit: @escaping @Sendable (OptimisticValue, HTTPResponse, OptimisticValue?) async -> Void = { _, _, _ in },
        onRollback: @escaping @Sendable (OptimisticValue, OptimisticValue?) async -> Void = { _, _ in }
    ) {
        self.onApply = onApply
        self.onCommit = onCommit
        self.onRollback = onRollback
    }

    public func restore(_ values: [OptimisticValue]) async {
        for value in values { await onApply(value) }
    }

    public func apply(_ value: OptimisticValue) async {
        await onApply(value)
    }

    public func commit(_ value: OptimisticValue, answer: HTTPResponse, remaining: OptimisticValue?) async {
        await onCommit(value, answer, remaining)
    }

    public func rollBack(_ value: OptimisticValue, remaining: OptimisticValue?) async {
        await onRollback(value, remaining)
    }
}
