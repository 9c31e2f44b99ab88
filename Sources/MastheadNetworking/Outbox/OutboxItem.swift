public import FoundationEssentials

/// A write that is in an outbox.
///
/// ```swift
/// for item in try await outbox.items().get() where item.isParked { show(item.kind, item.failure?.reason) }
/// ```
public struct OutboxItem: Sendable, Hashable, Identifiable {
    /// Which write it is, for good.
    public struct ID: Sendable, Hashable, Codable, RawRepresentable, CustomStringConvertible {
        /// As text.
        public let rawValue: String

        /// Takes a text that was an id.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Makes one that no other write has.
        public init() {
            rawValue = UUID().uuidString.lowercased()
        }

        /// As text.
        public var description: String { rawValue }
    }

    /// What becomes of it.
    @nonexhaustive
    public enum State: Sendable, Hashable {
        /// It waits for its turn, for the network, or for those it depends on.
        case pending

        /// It is under way.
        case sending

        /// It was refused, and would be again: it waits for ``Outbox/retry(_:)`` or ``Outbox/discard(_:)``.
        case parked

        /// One that it depends on is parked: it goes on with that, or with ``Outbox/discard(_:)``.
        case parkedWithDependency
    }

    /// Which write it is.
    public let id: ID

    /// What it is to the app.
    public let kind: String

    /// The line it stands in.
    public let lane: String

    /// What becomes of it.
    public let state: State

    /// How often it was sent in vain.
    public let attempts: Int

    /// What the last attempt failed of; `nil` if none did.
    public let failure: OutboxFailure?

    /// When it was enqueued.
    public let date: Date

    /// What its value is of, if it has one.
    public let valueKey: String?

    /// Whether it goes on only if the app says so, or with one that does.
    public var isParked: Bool { state == .parked || state == .parkedWithDependency }
}
