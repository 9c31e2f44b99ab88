import FoundationEssentials
import MastheadLock
import MastheadTransport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// What of a download has arrived: a file beside the one it will be, and what is needed to go on with it.
///
/// Everything here may block, so it is called on threads of the library's own. One download at a time has the file: it
/// is locked until ``release()``.
package final class PartFile: Sendable {
    /// What an attempt came to.
    enum Outcome: Sendable {
        /// The answer says nothing of the file.
        case nothing
        /// The body was written; `size` is how long the file is to be, if the server said so.
        case written(size: Int?, isPart: Bool)
        /// What was there is all of it.
        case whole
        /// The answer was about something else, so it must be asked for from the beginning.
        case restart
    }

    /// What an answer brought into the file.
    package struct Arrival: Sendable {
        let size: Int?
        let resumedFrom: Int
        /// Whether the answer was about the file, so that its fields are too.
        var isDescribed = true
    }

    private struct State {
        var url: String?
        var binding: SessionBinding?
        var plan: ResumePlan?
        var outcome = Outcome.nothing
        /// The first byte of the file that this download brought; `nil` before the first attempt.
        var resumedFrom: Int?
    }

    let descriptor: Int32
    let paths: PartPaths
    let onProgress: (@Sendable (TransferProgress) -> Void)?
    private let state = Lock(State())

    /// Opens the part file of a path, or makes it.
    ///
    /// - Throws: ``RepositoryError/fileAccess(reason:)``, also while another download has it.
    package init(
        for path: String,
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) throws(RepositoryError) {
        paths = try PartPaths(path)
        self.onProgress = onProgress
        descriptor = try paths.openPart()
    }

    deinit {
        close(descriptor)
    }

    /// Lets another download have the file: at once, while the exchange that is over may hold this object a little longer.
    func release() {
        flock(descriptor, LOCK_UN)
    }

    /// How long the part is.
    var length: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    // MARK: One attempt

    /// What to add to a request, so that it asks for what is missing.
    ///
    /// Of the URLs, which hold no secrets here, the first one counts: a redirect's target may differ each time. What another
    /// login has left, or nobody's call, is removed: it is not this one's, and nobody else's any more.
    func headers(for url: String, in binding: SessionBinding?) -> HTTPHeaders {
        var saved = paths.readState()
        if let kept = saved, kept.owner != binding?.owner {
            paths.removeState()
            ftruncate(descriptor, 0)
            saved = nil
        }
        let length = length
        return state.withLock { state in
            let first = state.url ?? url
            state.url = first
            state.binding = binding
            var isRestart = false
            if case .restart = state.outcome { isRestart = true }
            let plan = ResumePlan(
                url: first,
                owner: binding?.owner,
                state: isRestart ? nil : saved,
                partLength: length
            )
            state.plan = plan
            state.outcome = .nothing
            state.resumedFrom = min(state.resumedFrom ?? plan.offset, plan.offset)
            return plan.headers
        }
    }

    /// The file, for one attempt.
    func target(at date: @escaping @Sendable () -> Date) -> FileTarget {
        let onProgress = onProgress
        return FileTarget(descriptor: descriptor) { (head) throws(TransportError) in
            try self.decide(head, at: date())
        } onProgress: { length, expected in
            onProgress?(TransferProgress(completed: length, total: expected))
        }
    }

    /// Whether the session in which it was asked for is over.
    var isSessionOver: Bool {
        guard let binding = state.withLock({ $0.binding }) else { return false }
        return (try? binding.check()) == nil
    }

    /// Whether the file must be asked for from the beginning.
    var mustRestart: Bool {
        if case .restart = state.withLock({ $0.outcome }) { true } else { false }
    }

    /// Whether the server gave less than was asked for, or did not say whether there is more.
    ///
    /// - Throws: ``RepositoryError/incompleteBody(received:expected:)`` if it gave nothing: the next time would be the same.
    func isUnfinished() throws(RepositoryError) -> Bool {
        let (outcome, plan) = state.withLock { ($0.outcome, $0.plan) }
        guard case .written(let size, let isPart) = outcome else { return false }
        let length = length
        guard size.map({ length < $0 }) ?? isPart else { return false }
        guard length > plan?.offset ?? 0 else { throw .incompleteBody(received: length, expected: size) }
        return true
    }

    /// What the attempt brought; `nil` if its answer is not about the file.
    var arrival: Arrival? {
        let length = length
        return state.withLock { state in
            switch state.outcome {
            case .nothing, .restart: nil
            case .written(let size, _): Arrival(size: size, resumedFrom: state.resumedFrom ?? 0)
            case .whole: Arrival(size: length, resumedFrom: state.resumedFrom ?? 0, isDescribed: false)
            }
        }
    }

    private func decide(_ head: ResponseHead, at date: Date) throws(TransportError) -> FileTarget.Decision {
        guard let plan = state.withLock({ $0.plan }) else { return .keep }
        let headers = HTTPHeaders(lines: head.headers)
        let decision: ResumeDecision
        do throws(RepositoryError) {
            decision = try plan.decision(status: head.status, headers: headers, now: date)
        } catch {
            throw .invalidResponse("a part of the body that was not asked for")
        }
        switch decision {
        case .begin(let kept):
            // In this order: a crash in between leaves bytes without a state, which are no use and do no harm.
            paths.removeState()
            guard ftruncate(descriptor, 0) == 0 else { throw .file("\(paths.name) cannot be written") }
            if let kept { paths.write(kept) }
            state.withLock { state in
                let size = headers.hasIdentityCoding ? headers.contentLength : nil
                state.outcome = .written(size: size, isPart: false)
                state.resumedFrom = 0
            }
            return .write(at: 0, atMost: nil)
        case .write(let range, let size):
            state.withLock { state in
                state.outcome = .written(size: size, isPart: true)
                state.resumedFrom = min(state.resumedFrom ?? 0, range.lowerBound)
            }
            return .write(at: range.lowerBound, atMost: range.count)
        case .whole:
            state.withLock { $0.outcome = .whole }
            return .keep
        case .restart:
            state.withLock { $0.outcome = .restart }
            // Its body may be long, and none of it is of use.
            throw .invalidResponse("the part of another file")
        case .keep: return .keep
        }
    }
}

extension PartFile: Hashable {
    package static func == (left: PartFile, right: PartFile) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
