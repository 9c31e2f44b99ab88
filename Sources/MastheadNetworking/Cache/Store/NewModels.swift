import FoundationEssentials

/// Many models that are to be kept in one transaction, all of one type and with the same besides.
struct NewModels: Sendable {
    /// Their type, by which they are found together.
    let type: Any.Type

    /// The version of their shape.
    let version: Int

    /// When they are kept.
    let stored: Date

    /// When they end; `nil` for never.
    let expires: Date?

    /// The tags of each of them.
    let tags: Set<String>

    /// How many they are.
    let count: Int

    /// Makes one of them into bytes.
    let make: ModelMill.Make
}
