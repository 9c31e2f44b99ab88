public import FoundationEssentials

/// A value, and what is known of where it comes from.
///
/// ```swift
/// if let entry = await bookmarks.entry(Bookmark.self, for: "b-7") {
///     show(entry.value, isOld: entry.freshness == .stale)
/// }
/// ```
public struct CacheEntry<Value: Sendable>: Sendable {
    /// Whether a value is as good as new.
    public enum Freshness: Sendable, Hashable {
        /// Its time has not run out: what the server said of it, or the time to live it was kept with.
        case fresh

        /// Its time has run out, or nobody can tell: it was kept by a clock that was ahead of today's.
        case stale
    }

    /// The value.
    public let value: Value

    /// Where it comes from.
    public let origin: CacheOrigin

    /// When it was kept: for an answer, when it came.
    public let storedAt: Date

    /// How long ago it was made, or the server last said that it is still right; never negative.
    ///
    /// By the wall clock, with the time the answer spent in caches on its way (RFC 9111, section 4.2.3).
    public let age: Duration

    /// Whether it is as good as new.
    public let freshness: Freshness

    /// Puts an entry together, as a test may want it.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - origin: Where it comes from.
    ///   - storedAt: When it was kept.
    ///   - age: How long ago it was made or confirmed.
    ///   - freshness: Whether it is as good as new.
    public init(
        value: Value,
        origin: CacheOrigin = .network,
        storedAt: Date,
        age: Duration = .zero,
        freshness: Freshness = .fresh
    ) {
        self.value = value
        self.origin = origin
        self.storedAt = storedAt
        self.age = age
        self.freshness = freshness
    }

    /// The same of another value.
    public func map<Other: Sendable, Failure: Error>(
        _ transform: (Value) throws(Failure) -> Other
    ) throws(Failure) -> CacheEntry<Other> {
        CacheEntry<Other>(
            value: try transform(value),
            origin: origin,
            storedAt: storedAt,
            age: age,
            freshness: freshness == .fresh ? .fresh : .stale
        )
    }
}

extension CacheEntry: Equatable where Value: Equatable {}
extension CacheEntry: Hashable where Value: Hashable {}
