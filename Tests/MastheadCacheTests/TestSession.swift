import MastheadLock
import MastheadNetworking

/// A session that a test begins and ends as it likes.
final class TestSession: RepositorySession {
    private struct State {
        var grant: SessionGrant?
        var partition: SessionPartition?
        var number = 0
    }

    private let state = Lock(State())

    var grant: SessionGrant? { state.withLock { $0.grant } }
    var partition: SessionPartition? { state.withLock { $0.partition } }

    /// Begins a session for a user.
    func begin(_ user: String) {
        state.withLock { state in
            state.number += 1
            state.grant = SessionGrant(
                token: Secret("token-of-\(user)"),
                session: state.number,
                generation: state.number
            )
            state.partition = SessionPartition(secret: Secret("0123456789abcdef0123456789abcdef-\(user)"))
        }
    }

    /// Ends it.
    func end() {
        state.withLock { state in
            state.number += 1
            state.grant = nil
            state.partition = nil
        }
    }

    func renewal(
        of grant: SessionGrant,
        isRefused: Bool,
        by deadline: Duration?,
        on time: any TimeSource
    ) async -> SessionRenewal { .refused }
}
