import FoundationEssentials
import MastheadLock
public import MastheadNetworking

/// Makes exchanges with another executor and writes the answers down, for a ``StubExecutor`` to give later.
///
/// ```swift
/// let recorder = try RecordingExecutor(folder: "Tests/Fixtures")
/// let volumes = VolumeRepository(configuration: .staging, executor: recorder)
/// _ = await volumes.volume("vol-7")       // writes Tests/Fixtures/GET-volumes-vol-7.http
/// ```
///
/// Each answer becomes a file named as ``StubExecutor/init(folder:)`` looks for it, with status line, header fields and
/// body; a file of an earlier run is replaced. Requests that fail leave none. Every body comes whole into memory, that of
/// a stream or a download too.
///
/// Secrets are taken out, for such files are made to be shared: the values of secret header fields, the client key
/// wherever it stands in a body that is text, and, in a JSON body, what a member with a secret's name holds and every
/// string with an e-mail address; such a body is written anew, its members sorted. What else is secret in your bodies
/// only you can know: take it out with `redact`, and look at the files before you share them.
public final class RecordingExecutor: RequestExecutor {
    private let executor: any RequestExecutor
    private let folder: URL
    private let redact: @Sendable (inout HTTPResponse) -> Void
    /// How often each name has been recorded.
    private let uses = Lock<[String: Int]>([:])

    /// Makes a recorder.
    ///
    /// - Parameters:
    ///   - executor: What makes the exchanges.
    ///   - folder: The path of the folder to write into; made if it is not there.
    ///   - redact: Changes what is written, after the secrets that are known have been taken out; the repository gets
    ///     the answer as it came.
    /// - Throws: What kept the folder from being made.
    public init(
        _ executor: any RequestExecutor = LibcurlExecutor(),
        folder: String,
        redact: @escaping @Sendable (inout HTTPResponse) -> Void = { _ in }
    ) throws {
        self.executor = executor
        self.folder = URL(filePath: folder)
        self.redact = redact
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// Makes one exchange, as a `RequestExecutor` does, and records its answer.
    public func execute(
        _ request: HTTPRequest,
        _ configuration: NetworkingConfiguration
    ) async throws(RepositoryError) -> HTTPResponse {
        var request = request
        // A body that is read as it comes, or goes into a file, would not be there to be written down.
        request.delivery = .whole
        let response = try await executor.execute(request, configuration)
        let name = AnswerName(request, configuration).names[0]
        let use = uses.withLock { uses in
            uses[name, default: 0] += 1
            return uses[name, default: 1]
        }
        let file = use == 1 ? "\(name).http" : "\(name)~\(use).http"
        var written = RecordedAnswer.withoutSecrets(response, configuration)
        redact(&written)
        do {
            // By rename, so that whoever reads the folder meanwhile sees the old answer or the new one.
            try RecordedAnswer.bytes(of: written).write(to: folder.appending(path: file), options: .atomic)
        } catch {
            throw .customError(UnusableAnswer(file: file, reason: "cannot be written: \(error)"))
        }
        return response
    }
}
