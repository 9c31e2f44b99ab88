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
/// is locked as long as this object lives.
package final class PartFile: Sendable {
    private struct State {
        var url: String?
        var plan: ResumePlan?
        var size: Int?
        var wasWritten = false
        var isWhole = false
        var mustRestart = false
        var resumedFrom = 0
    }

    private let descriptor: Int32
    private let paths: PartPaths
    private let onProgress: (@Sendable (TransferProgress) -> Void)?
    private let state = Lock(State())

    /// Opens the part file of a path, or makes it.
    ///
    /// - Throws: ``RepositoryError/fileAccess(reason:)``, also while another download has it.
    package init(
        for path: String,
        onProgress: (@Sendable (TransferProgress) -> Void)? = nil
    ) throws(RepositoryError) {
        paths = PartPaths(path)
        self.onProgress = onProgress
        descriptor = open(paths.part, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o644)
        guard descriptor >= 0 else { throw paths.failure("cannot be written") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw .fileAccess(reason: "\(paths.name) is being downloaded already")
        }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    // MARK: One attempt

    /// What to add to a request, so that it asks for what is missing.
    ///
    /// Of the URLs, which hold no secrets here, the first one counts: a redirect's target may differ each time.
    func headers(for url: String) -> HTTPHeaders {
        let length = Self.length(of: descriptor)
        let saved = paths.readState()
        return state.withLock { state in
            let first = state.url ?? url
            state.url = first
            let plan = ResumePlan(url: first, state: state.mustRestart ? nil : saved, partLength: length)
            state.plan = plan
            state.mustRestart = false
            state.resumedFrom = plan.offset
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

    /// Whether the answer was about something else, so that it must be asked for from the beginning.
    var mustRestart: Bool { state.withLock { $0.mustRestart } }

    /// Whether the answer said that what is there is all of it.
    var isWhole: Bool { state.withLock { $0.isWhole } }

    private func decide(_ head: ResponseHead, at date: Date) throws(TransportError) -> FileTarget.Decision {
        guard let plan = state.withLock({ $0.plan }) else { return .keep }
        let headers = HTTPHeaders(head.headers)
        let decision: ResumeDecision
        do throws(RepositoryError) {
            decision = try plan.decision(status: head.status, headers: headers, now: date)
        } catch {
            throw .invalidResponse("\(error)")
        }
        switch decision {
        case .begin(let kept):
            // In this order: a crash in between leaves bytes without a state, which are no use and do no harm.
            paths.removeState()
            guard ftruncate(descriptor, 0) == 0 else { throw .file("\(paths.name) cannot be written") }
            if let kept { paths.write(kept) }
            state.withLock { state in
                state.size = headers.hasIdentityCoding ? headers.contentLength : nil
                state.wasWritten = true
                state.resumedFrom = 0
            }
            return .write(at: 0)
        case .write(let range, let size):
            state.withLock { state in
                state.size = size
                state.wasWritten = true
                state.resumedFrom = min(state.resumedFrom, range.lowerBound)
            }
            return .write(at: range.lowerBound)
        case .whole:
            state.withLock { $0.isWhole = true }
            return .keep
        case .restart:
            state.withLock { $0.mustRestart = true }
            // Its body may be long, and none of it is of use.
            throw .invalidResponse("the part of another file")
        case .keep: return .keep
        }
    }

    // MARK: The end

    /// Puts the file into its place after its checks, and forgets the part.
    package func finish(_ response: HTTPResponse) throws(RepositoryError) -> DownloadedFile {
        let found = state.withLock { $0 }
        // An executor that knows no files brings the body in memory.
        if !found.wasWritten, !found.isWhole { try replace(with: response.body) }
        let length = Self.length(of: descriptor)
        if found.wasWritten, let size = found.size, size != length {
            throw .incompleteBody(received: length, expected: size)
        }
        guard fsync(descriptor) == 0, rename(paths.part, paths.whole) == 0 else {
            throw paths.failure("cannot be put into its place")
        }
        paths.removeState()
        return DownloadedFile(
            path: paths.whole,
            size: length,
            resumedFrom: found.isWhole ? length : found.resumedFrom,
            headers: response.headers,
            url: response.url
        )
    }

    /// Leaves what can be gone on with, and removes what cannot.
    package func giveUp() {
        if paths.readState() == nil { discard() }
    }

    private func discard() {
        unlink(paths.part)
        paths.removeState()
    }

    private func replace(with body: Data) throws(RepositoryError) {
        paths.removeState()
        guard ftruncate(descriptor, 0) == 0 else { throw paths.failure("cannot be written") }
        var rest = body[...]
        while !rest.isEmpty {
            let offset = off_t(body.count - rest.count)
            let count = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, offset) }
            guard count > 0 || errno == EINTR else { throw paths.failure("cannot be written") }
            rest = rest.dropFirst(max(0, count))
        }
    }

    private static func length(of descriptor: Int32) -> Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }
}

extension PartFile: Hashable {
    package static func == (left: PartFile, right: PartFile) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
