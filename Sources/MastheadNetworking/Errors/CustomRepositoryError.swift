/// An app's own error, given for what a server says when it refuses a request.
///
/// ```swift
/// enum VolumeError: String, CustomRepositoryError { case unknownVolume, withdrawn }
///
/// switch await volumes.volume("orbit") {
/// case .failure(.customError(VolumeError.withdrawn)): showWithdrawn()
/// …
/// }
/// ```
public protocol CustomRepositoryError: Error {}

/// Lets an error of the app stand as a pattern where any of them may be.
public func ~= <Pattern: CustomRepositoryError & Equatable>(
    pattern: Pattern,
    error: any CustomRepositoryError
) -> Bool {
    (error as? Pattern) == pattern
}
