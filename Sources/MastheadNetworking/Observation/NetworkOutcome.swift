/// What an attempt or a call came to, without anything that may be secret.
///
/// ```swift
/// switch record.outcome {
/// case .answered(let status): count("status.\(status)")
/// case .failed(let failure): count(failure.label)
/// case .cancelled: count("cancelled")
/// }
/// ```
public enum NetworkOutcome: Sendable, Hashable {
    /// An error as an event tells of it: what the answer said is not in it.
    public struct Failure: Sendable, Hashable {
        /// The error's case in one word, as ``RepositoryError/label`` has it.
        public let label: String

        /// The status of the answer that the error is about; `nil` if there was none.
        public let status: Int?

        /// What happened, in one line.
        public let description: String
    }

    /// There was an answer; of a call, one that is a success.
    case answered(status: Int)

    /// There was none; of a call, none that is a success.
    case failed(Failure)

    /// The task was cancelled.
    case cancelled

    /// The failure, if it is one; a cancellation is told as one too.
    var failure: Failure? {
        switch self {
        case .answered: nil
        case .failed(let failure): failure
        case .cancelled: Failure(label: RepositoryError.cancelled.label, status: nil, description: "cancelled")
        }
    }

    /// What an error comes to.
    init(_ error: RepositoryError) {
        if case .cancelled = error {
            self = .cancelled
        } else {
            self = .failed(Failure(label: error.label, status: error.status, description: "\(error)"))
        }
    }

    /// What an attempt came to.
    init(_ outcome: Result<HTTPResponse, RepositoryError>) {
        switch outcome {
        case .success(let response): self = .answered(status: response.status)
        case .failure(let error): self.init(error)
        }
    }
}

extension NetworkOutcome: CustomStringConvertible {
    /// What happened, in one line.
    public var description: String {
        switch self {
        case .answered(let status): "status \(status)"
        case .failed(let failure): failure.description
        case .cancelled: "cancelled"
        }
    }
}
