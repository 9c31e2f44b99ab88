import FoundationEssentials
import MastheadLock
import MastheadNetworking
import MastheadTesting
import Testing

/// Downloads that were broken off, over real sockets: whatever the server does, the bytes are right in the end.
@Suite("A download that goes on", .timeLimit(.minutes(2)))
struct ResumedDownloadTests {
    private let folder: TestFolder
    private let served = ServedFile(content: ServedFile.bytes(100_000))

    init() throws {
        folder = try TestFolder()
    }

    /// Begins a download and has it broken off by the server.
    private func breakOff(_ answer: ScriptedServer.Answer? = nil) async throws -> ScriptedServer {
        let server = try ScriptedServer((answer ?? served.whole).cut(afterBodyBytes: broken))
        let repository = AbstractRepository(configuration: server.configuration())
        let failure = await repository.download(.get("file"), to: folder.path("file")).failure
        #expect(failure?.label == "incompleteBody")
        return server
    }

    private func goOn(_ server: ScriptedServer) async -> Result<DownloadedFile, RepositoryError> {
        await AbstractRepository(configuration: server.configuration())
            .download(.get("file"), to: folder.path("file"))
    }

    @Test("case 20: asks for what is missing, if it is still the same")
    func resumes() async throws {
        let server = try await breakOff()
        defer { server.stop() }
        #expect(folder.names == ["file.part", "file.part.json"])
        server.answer(served.part(from: broken))

        let file = try await goOn(server).get()

        #expect(file.resumedFrom == broken)
        #expect(file.size == served.content.count)
        #expect(folder.content("file") == served.content)
        #expect(folder.names == ["file"])
        let request = try await server.request(1)
        #expect(request.headers["Range"] == "bytes=40000-")
        #expect(request.headers["If-Range"] == "\"v1\"")
        #expect(request.headers["Accept-Encoding"] == "identity")
    }

    @Test("case 20: ends with the right bytes, whatever the server makes of the range", arguments: Habit.allCases)
    func habits(habit: Habit) async throws {
        let server = try await breakOff()
        defer { server.stop() }
        let new = ServedFile(content: ServedFile.bytes(100_000, seed: 2), tag: "\"v2\"")
        let expected = habit.answer(served, new, on: server)

        let file = try await goOn(server).get()

        #expect(folder.content("file") == expected)
        #expect(file.size == expected.count)
        #expect(folder.names == ["file"])
    }

    /// What servers do with a range.
    enum Habit: CaseIterable {
        case ignoresRange, startsEarlier, startsAtZero, changedTag, weakTag, noTag, naiveAboutTag, codedPart, codedWhole
        case shortRange, unknownSize, wrongSize, startsLater, noContentRange, twoRanges, rangeOfAnother
        case badRange, refusesRangeThenGives, smallerThanPart

        /// Adds what the server answers, and gives what the file must have in the end.
        func answer(_ old: ServedFile, _ new: ServedFile, on server: ScriptedServer) -> Data {
            let part = old.part(from: broken)
            switch self {
            case .ignoresRange:
                server.answer(old.whole)
                return old.content
            case .startsEarlier:
                server.answer(old.part(from: broken - 1000))
                return old.content
            case .startsAtZero:
                server.answer(old.part(from: 0))
                return old.content
            case .changedTag:
                server.answer(new.whole)
                return new.content
            case .weakTag:
                server.answer(with(part, "ETag", "W/\"v1\""), old.whole)
                return old.content
            case .noTag:
                server.answer(with(part, "ETag", nil), old.whole)
                return old.content
            case .naiveAboutTag:
                server.answer(new.part(from: broken), new.whole)
                return new.content
            case .codedPart:
                server.answer(with(part, "Content-Encoding", "gzip"), old.whole)
                return old.content
            case .codedWhole:
                server.answer(.data(ServedFile.gzipOfContent).adding("gzip", for: "Content-Encoding"))
                return Data("content".utf8)
            case .shortRange:
                server.answer(range(broken..<broken + 10, of: old), range(broken + 10..<broken + 30, of: old))
                server.answer(old.part(from: broken + 30))
                return old.content
            case .unknownSize:
                server.answer(range(broken..<broken + 10, of: old, size: "*"))
                server.answer(range(broken + 10..<old.content.count, of: old, size: "*"))
                return old.content
            case .wrongSize:
                server.answer(range(broken..<old.content.count, of: old, size: "100001"), old.whole)
                return old.content
            case .startsLater:
                server.answer(old.part(from: broken + 1), old.whole)
                return old.content
            case .noContentRange:
                server.answer(with(part, "Content-Range", nil), old.whole)
                return old.content
            case .twoRanges:
                server.answer(with(part, "Content-Type", "multipart/byteranges; boundary=x"), old.whole)
                return old.content
            case .rangeOfAnother:
                server.answer(with(part, "ETag", "\"v2\""), new.whole)
                return new.content
            case .badRange:
                server.answer(with(part, "Content-Range", "bytes 40000-"), old.whole)
                return old.content
            case .refusesRangeThenGives:
                server.answer(.status(416), old.whole)
                return old.content
            case .smallerThanPart:
                server.answer(.status(416, headers: ["Content-Range": "bytes */7"]), .text("content"))
                return Data("content".utf8)
            }
        }

        private func with(_ answer: ScriptedServer.Answer, _ name: String, _ value: String?) -> ScriptedServer.Answer {
            var answer = answer
            answer.headers[name] = value
            return answer
        }

        private func range(_ range: Range<Int>, of file: ServedFile, size: String? = nil) -> ScriptedServer.Answer {
            let size = size ?? "\(file.content.count)"
            var headers: HTTPHeaders = ["Content-Range": "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"]
            headers["ETag"] = file.tag
            return ScriptedServer.Answer(status: 206, headers: headers, body: file.content[range])
        }
    }

    @Test("case 20: finishes a file that was whole already, by 416 of its size")
    func wholeAlready() async throws {
        // Without a length nobody knows that all of it is there.
        let server = try await breakOff(served.whole.chunked(size: 1000))
        defer { server.stop() }
        server.answer(served.part(from: broken).reset(afterBodyBytes: 1000))
        _ = await goOn(server)
        _ = try folder.file("file.part", served.content)
        server.answer(served.part(from: served.content.count))

        let file = try await goOn(server).get()

        #expect(file.size == served.content.count)
        #expect(file.resumedFrom == served.content.count)
        #expect(folder.content("file") == served.content)
        #expect(try await server.request(2).headers["Range"] == "bytes=100000-")
    }

    @Test("case 20: takes no more than the range that a part says it is")
    func moreThanItsRange() async throws {
        let server = try await breakOff()
        defer { server.stop() }
        let part = served.part(from: broken)
        let headers: HTTPHeaders = ["ETag": "\"v1\"", "Content-Range": "bytes 40000-40009/100000"]
        server.answer(
            ScriptedServer.Answer(status: 206, headers: headers, body: served.content.dropFirst(broken)).chunked(),
            part
        )

        #expect(await goOn(server).failure?.label == "invalidResponse")
        #expect(try await goOn(server).get().size == 100_000)
        #expect(folder.content("file") == served.content)
    }

    @Test("does not trust a server that gives nothing of a range for ever")
    func emptyRanges() async throws {
        let server = try await breakOff()
        defer { server.stop() }
        let part = served.part(from: broken)
        let answer = ScriptedServer.Answer(status: 206, headers: part.headers, body: Data()).chunked()
        server.answer(answer, answer, answer)

        #expect(await goOn(server).failure?.label == "incompleteBody")
        #expect(server.requests.count == 2)
    }

    @Test("goes on at the byte where it was cancelled")
    func cancelled() async throws {
        let gate = ScriptedServer.Gate()
        let server = try ScriptedServer(served.whole.held(until: gate, afterBodyBytes: broken))
        defer { server.stop() }
        let repository = AbstractRepository(configuration: server.configuration())
        let arrived = Lock(0)
        let task = Task { [folder] in
            await repository.download(
                .get("file"),
                to: folder.path("file"),
                onProgress: { step in arrived.withLock { $0 = step.completed } }
            )
        }
        while arrived.withLock({ $0 }) < broken { await Task.yield() }
        task.cancel()
        #expect(await task.value.failure?.label == "cancelled")
        server.answer(served.part(from: broken))

        #expect(try await goOn(server).get().resumedFrom == broken)
        #expect(folder.content("file") == served.content)
    }

    @Test("goes on at the byte within one call that may try again")
    func retries() async throws {
        let served = served
        let cuts = Lock([10_000, 20_000])
        let server = try ScriptedServer { request in
            let answer = served.answer(to: request)
            return cuts.withLock { $0.popLast() }.map { answer.cut(afterBodyBytes: $0) } ?? answer
        }
        defer { server.stop() }
        let steps = Lock<[TransferProgress]>([])
        let repository = AbstractRepository(
            configuration: server.configuration {
                $0.retry = .standard
                $0.retry.baseDelay = .zero
            }
        )

        let file = try await repository.download(
            .get("file"),
            to: folder.path("file"),
            onProgress: { step in steps.withLock { $0.append(step) } }
        ).get()

        #expect(file.resumedFrom == 0, "all of it came by this call")
        #expect(folder.content("file") == served.content)
        #expect(server.requests.map { $0.headers["Range"] } == [nil, "bytes=20000-", "bytes=30000-"])
        let completed = steps.withLock { $0.map(\.completed) }
        #expect(completed == completed.sorted())
        #expect(steps.withLock { $0.last } == TransferProgress(completed: 100_000, total: 100_000))
    }

    @Test("does not take what a first attempt left for the file that a second one has nothing of")
    func attemptsDoNotMix() async throws {
        let server = try ScriptedServer(
            .text("content").chunked(size: 2).cut(afterBodyBytes: 4),
            .status(204)
        )
        defer { server.stop() }
        let repository = AbstractRepository(
            configuration: server.configuration {
                $0.retry = .standard
                $0.retry.baseDelay = .zero
            }
        )

        let result = await repository.download(.get("file"), to: folder.path("file"))

        #expect(result.failure?.label == "emptyBody")
        #expect(folder.names.isEmpty)
    }

    @Test("asks again for a part that stands beside a state of another file, or beside none")
    func foreignPart() async throws {
        let server = try await breakOff()
        defer { server.stop() }
        server.answer(.text("other"), served.whole)

        let repository = AbstractRepository(configuration: server.configuration())
        #expect(try await repository.download(.get("other"), to: folder.path("file")).get().size == 5)
        #expect(try await server.request(1).headers["Range"] == nil)

        _ = try folder.file("file.part", Data("part of something".utf8))
        #expect(try await goOn(server).get().size == 100_000)
        #expect(folder.content("file") == served.content)
        #expect(try await server.request(2).headers["Range"] == nil)
    }

    @Test("resumes by the date of a file that has no tag, if it is old enough")
    func byDate() async throws {
        let untagged = ServedFile(content: served.content, tag: nil)
        let dated = untagged.whole.adding("Sun, 06 Nov 1994 08:49:37 GMT", for: "Last-Modified")
            .adding("Sun, 06 Nov 1994 09:49:37 GMT", for: "Date")
        let server = try await breakOff(dated)
        defer { server.stop() }
        server.answer(untagged.part(from: broken).adding("Sun, 06 Nov 1994 08:49:37 GMT", for: "Last-Modified"))

        #expect(try await goOn(server).get().resumedFrom == broken)
        #expect(folder.content("file") == served.content)
        #expect(try await server.request(1).headers["If-Range"] == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test("takes no part from an executor that brings no files, and begins anew after it")
    func otherExecutor() async throws {
        let server = try await breakOff()
        defer { server.stop() }
        let whole = String(decoding: served.content.map { $0 & 0x7F }, as: UTF8.self)
        let executor = ClosureExecutor(answers: [
            .answer(206, ["ETag": "\"v1\"", "Content-Range": "bytes 40000-99999/100000"], body: "the rest"),
            .answer(200, ["ETag": "\"v1\""], body: whole),
        ])
        let repository = AbstractRepository(configuration: server.configuration(), executor: executor)
        let failure = await repository.download(.get("file"), to: folder.path("file")).failure
        #expect(failure?.label == "invalidResponse" && folder.names.isEmpty)

        #expect(try await repository.download(.get("file"), to: folder.path("file")).get().size == 100_000)
        #expect(folder.content("file") == Data(whole.utf8) && folder.names == ["file"])
        #expect(executor.requests.map { $0.headers["Range"] } == ["bytes=40000-", nil])
    }

    @Test("keeps no secret of the URL beside the part")
    func keepsNoSecret() async throws {
        let server = try ScriptedServer(served.whole.cut(afterBodyBytes: broken))
        defer { server.stop() }
        let request = Request<DownloadedFile>.get("file", query: ["token": "s3cret"])
        _ = await AbstractRepository(configuration: server.configuration())
            .download(request, to: folder.path("file"))

        let state = try #require(folder.content("file.part.json"))
        #expect(!String(decoding: state, as: UTF8.self).contains("s3cret"))
    }
}

private let broken = 40_000
