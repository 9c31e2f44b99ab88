/// Shows what writes will make of things before the server has made it so: a model cache, or an app's own store.
///
/// ```swift
/// actor Bookmarks: OptimisticStore {
///     func restore(_ values: [OptimisticValue]) { overlay = Dictionary(values.map { ($0.key, $0) }) { $1 } }
///     func apply(_ value: OptimisticValue) { overlay[value.key] = value }
///     func commit(_ value: OptimisticValue, answer: HTTPResponse, remaining: OptimisticValue?) async { … }
///     func rollBack(_ value: OptimisticValue, remaining: OptimisticValue?) { overlay[value.key] = remaining }
/// }
/// ```
///
/// Of several writes with values for one key, the one enqueued last is shown. The outbox calls one method at a time, and
/// waits for it. It may use the outbox, whose calls then do not wait for what they make it show.
public protocol OptimisticStore: Sendable {
    /// What is to be shown when the outbox is opened: of each key one value, and for no other key any that was shown before.
    func restore(_ values: [OptimisticValue]) async

    /// A write was enqueued, or retried: its value, or a later one of the key, is to be shown.
    func apply(_ value: OptimisticValue) async

    /// The server has taken a write. It is told before the write leaves the outbox: if the process ends in between, the
    /// write is sent again with the same key, and told again.
    ///
    /// - Parameters:
    ///   - value: The write's value, which is now the server's too.
    ///   - answer: What the server answered.
    ///   - remaining: What is still to be shown for the key; `nil` for what the server has.
    func commit(_ value: OptimisticValue, answer: HTTPResponse, remaining: OptimisticValue?) async

    /// A write was parked or discarded: its value is to be shown no more.
    ///
    /// - Parameters:
    ///   - value: The write's value.
    ///   - remaining: What is still to be shown for the key; `nil` for what the server has.
    func rollBack(_ value: OptimisticValue, remaining: OptimisticValue?) async
}
