import FoundationEssentials
import MastheadNetworking
import Proofreading
import Synchronization

extension Tour {
    /// A long file that is broken off half-way, and gone on with at that byte.
    func showDownload(from media: String, into folder: String) async throws(Stop) {
        begin(
            "A long file, broken off and gone on with",
            code: """
                await repository.download(.get("peal.wav"), to: path, checksum: .sha256(digest))
                """
        )
        guard let url = URL(string: media), let host = url.host() else { throw Stop(message: "no media host") }
        let configuration = NetworkingConfiguration(domainURL: host, port: url.port) { $0.useSecureConnection = false }
        let repository = AbstractRepository(configuration: configuration)
        let bell = try need("the bell", await repository.performRaw(.get("bell.wav"))).body
        // What must come, made of what has been checked already.
        let digest = SHA256.hex(of: Self.peal(of: Array(bell)))
        let path = folder + "/peal.wav"

        let breaker = Breaker()
        let task = Task {
            await repository.download(
                .get("peal.wav"),
                to: path,
                checksum: .sha256(digest),
                onProgress: { if $0.fraction ?? 0 >= 0.5 { breaker.trip() } }
            )
        }
        breaker.watch(task)
        let first = await task.value
        let part = Self.size(of: path + ".part")
        ledger.note(
            "broken off after \(part) bytes, of which a part is kept and no file",
            Self.isCancelled(first) && part > 0 && Self.size(of: path) == 0
        )

        let second = await repository.download(.get("peal.wav"), to: path, checksum: .sha256(digest))
        let file = try need("the rest of the long file", second)
        ledger.note(
            "gone on with at byte \(file.resumedFrom)",
            file.resumedFrom == part && file.resumedFrom < file.size
        )
        let content = FileManager.default.contents(atPath: path) ?? Data()
        ledger.note("\(file.size) bytes, each of them right", SHA256.hex(of: content) == digest)
        ledger.note("and no part is left", Self.size(of: path + ".part") == 0)
    }

    private static func isCancelled(_ result: Result<DownloadedFile, RepositoryError>) -> Bool {
        if case .failure(.cancelled) = result { true } else { false }
    }

    private static func size(of path: String) -> Int {
        FileManager.default.contents(atPath: path)?.count ?? 0
    }

    /// The bell's sound, 600 times.
    private static func peal(of bell: [UInt8]) -> [UInt8] {
        let samples = bell.dropFirst(44)
        let count = samples.count * 600
        func bytes(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        var peal = bell.prefix(4) + bytes(36 + count) + bell.dropFirst(8).prefix(32) + bytes(count)
        for _ in 0..<600 { peal += samples }
        return Array(peal)
    }
}

/// Cancels a task when it is told to, whichever of the two comes first.
private final class Breaker: Sendable {
    private let state = Mutex<(task: Task<Result<DownloadedFile, RepositoryError>, Never>?, isTripped: Bool)>(
        (nil, false)
    )

    func watch(_ task: Task<Result<DownloadedFile, RepositoryError>, Never>) {
        let isTripped = state.withLock { state in
            state.task = task
            return state.isTripped
        }
        if isTripped { task.cancel() }
    }

    func trip() {
        let task = state.withLock { state in
            state.isTripped = true
            return state.task
        }
        task?.cancel()
    }
}
