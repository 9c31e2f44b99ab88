/// Why a value is not what was wanted, before anybody asks where.
enum Fault: Error {
    /// There is `null`.
    case null(Any.Type)
    /// There is another kind of value.
    case mismatch(Any.Type)
    /// There is a number that the type cannot hold.
    case unfit(Any.Type)
    /// The value is of the right kind and says nothing that the type knows.
    case corrupted(String)
}

/// A number that a type cannot hold, as the error beneath a `DecodingError.dataCorrupted`.
package struct UnfitNumber: Error, Sendable {
    /// The type.
    package let type: Any.Type
}
