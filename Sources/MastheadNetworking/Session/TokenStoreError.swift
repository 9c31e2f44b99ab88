/// Why a ``TokenStore`` did not do as it was asked: each case is a different thing to do.
///
/// ```swift
/// case .failure(.store(.wrongKey)): askForPassphrase()
/// case .failure(.store(let error)): report(error)
/// ```
///
/// None of them has made the store forget anything, and no reason holds a token or a key.
@nonexhaustive
public enum TokenStoreError: Error, Sendable, Hashable {
    /// The credentials are there, and this key or passphrase does not open them.
    case wrongKey

    /// The credentials are there, and the key that opens them is gone: bring it back, or remove them and log in again.
    case missingKey(reason: String)

    /// The key file is one that others may have read, belongs to somebody else, is no file, holds no key or is the token file
    /// itself; the reason says what to do.
    case unusableKeyFile(reason: String)

    /// There is no Secret Service, or it did not do as it was asked: take another ``TokenFileKey``, or ask later.
    case noSecretService(reason: String)

    /// What is there is no longer what was written: cut, changed or foreign.
    case damaged(reason: String)

    /// What is there was written by a later version.
    case unknownVersion(Int)

    /// The place is not to be had: a file that may not be read or written, a full disk, a service that does not answer.
    case inaccessible(reason: String)

    /// The task was cancelled while the user was asked, or a service had not answered.
    case cancelled
}

extension TokenStoreError: CustomStringConvertible {
    /// What happened, in one line for a log.
    public var description: String {
        switch self {
        case .wrongKey: "the key does not open the stored credentials"
        case .missingKey(let reason): "the key of the stored credentials is missing: \(reason)"
        case .unusableKeyFile(let reason): "the key file cannot be used: \(reason)"
        case .noSecretService(let reason): "there is no Secret Service: \(reason)"
        case .damaged(let reason): "the stored credentials are damaged: \(reason)"
        case .unknownVersion(let version): "the stored credentials are of version \(version), which is not known"
        case .inaccessible(let reason): "the stored credentials are not to be had: \(reason)"
        case .cancelled: "nobody waits any more for the stored credentials"
        }
    }
}
