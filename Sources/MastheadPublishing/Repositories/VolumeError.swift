public import MastheadNetworking

/// What the server says when it refuses a volume.
///
/// ```swift
/// case .failure(.customError(VolumeError.unknownVolume)): showNotFound()
/// ```
public enum VolumeError: String, CustomRepositoryError {
    /// There is no such volume: a 404, or an answer with no volume in it.
    case unknownVolume

    /// The publisher took it back: a 410.
    case withdrawn
}
