import BenchmarkSide
import FoundationEssentials
import MastheadNetworking

/// Masthead, as an app uses it: a repository over the default executor.
@main
enum BenchOurs {
    static func main() async {
        await SideProcess.run { workload in
            let target = try Target(workload)
            let repository = ResourceRepository(configuration: target.configuration)
            var result = try await StopWatch(workload, exchange: try await exchange(workload, target, repository)).run()
            result.version = try await repository.response(target.smallPath).get().headers["X-Protocol"]
            if workload.task == .pipeline {
                // The last one asked for the version.
                guard target.meter.attemptCount == workload.requestsInAll + 1 else {
                    throw RepositoryError.invalidRequest(reason: "\(target.meter.attemptCount) attempts were observed")
                }
                result.pipelineMicroseconds = try await pipelineMicroseconds(target)
            }
            return result
        }
    }

    private static func exchange(
        _ workload: Workload,
        _ target: Target,
        _ repository: ResourceRepository
    ) async throws -> StopWatch.Exchange {
        let path = target.path
        switch workload.task {
        case .fetch, .cold, .pipeline, .pinned:
            return { _ in try await repository.response(path).get().body.count }
        case .decode:
            return { _ in
                let list = try await repository.articles(path).get()
                guard !list.articles.isEmpty else { throw RepositoryError.emptyBody(status: 200) }
                return workload.bodyBytes
            }
        case .executor:
            let executor = LibcurlExecutor()
            let memory = MemoryExecutor(answer: HTTPResponse(status: 200, url: target.url))
            _ = await ResourceRepository(configuration: target.configuration, executor: memory).response(path)
            // With the fields of a repository's request, so that the same is sent with the pipeline and without.
            guard let fields = memory.firstRequest?.headers else { throw RepositoryError.emptyBody(status: 200) }
            return { _ in
                let request = HTTPRequest(url: target.url, headers: fields)
                let response = try await executor.execute(request, target.configuration)
                guard response.status == 200 else { throw RepositoryError.emptyBody(status: response.status) }
                return response.body.count
            }
        case .download:
            guard let file = workload.file else { throw RepositoryError.fileAccess(reason: "no file to write") }
            return { number in try await repository.file(path, to: "\(file).\(number)").get().size }
        case .upload:
            guard let file = workload.file else { throw RepositoryError.fileAccess(reason: "no file to send") }
            let fields = Workload.formFields.map { MultipartForm.Part.field($0.0, $0.1) }
            let form = MultipartForm(fields + [.file("file", path: file, filename: "issue.bin")])
            return { _ in
                _ = try await repository.send(form, to: path).get()
                return workload.bodyBytes
            }
        }
    }

    /// How long a call takes when the answer is there at once: the pipeline's own time, without a change of threads.
    @concurrent
    private static func pipelineMicroseconds(_ target: Target) async throws -> Double {
        let answer = HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], url: target.url)
        let repository = ResourceRepository(
            configuration: target.configuration,
            executor: MemoryExecutor(answer: answer)
        )
        let count = 20_000
        for _ in 0..<count / 10 { _ = try await repository.response(target.path).get() }
        let start = monotonicNanoseconds()
        for _ in 0..<count { _ = try await repository.response(target.path).get() }
        return Double(monotonicNanoseconds() - start) / 1e3 / Double(count)
    }
}
