import MastheadNetworking
import MastheadTesting
import Testing

extension HTTPBinTests {
    /// httpbin answers these after ten seconds; no test waits for it.
    @Suite("delays", .timeLimit(.minutes(1)))
    struct Delays {
        @Test("an answer that takes its time is waited for")
        func patience() async throws {
            let echo = try await HTTPBinRepository.current().echo(.get("delay/0.2")).get()

            #expect(echo.url.hasSuffix("/delay/0.2"))
        }

        @Test("a cancelled call ends at once")
        func cancellation() async throws {
            let repository = try HTTPBinRepository.current()
            let call = Task { await repository.echo(.get("delay/10")) }
            await Task.yield()
            call.cancel()

            guard case .failure(.cancelled) = await call.value else {
                Issue.record("expected cancelled, got \(await call.value)")
                return
            }
        }

        @Test("when nothing moves for too long, the call says idle")
        func idle() async throws {
            let result = try await turningTheClock {
                $0.timeout = .seconds(5)
            }

            guard case .failure(.timeout(.idle)) = result else {
                Issue.record("expected idle, got \(result)")
                return
            }
        }

        @Test("when the whole call takes too long, it says total")
        func total() async throws {
            let result = try await turningTheClock {
                $0.totalTimeout = .seconds(5)
            }

            guard case .failure(.timeout(.total)) = result else {
                Issue.record("expected total, got \(result)")
                return
            }
        }

        /// Asks for what comes late, and turns the clock by a second at a time until the call has ended.
        private func turningTheClock(
            _ configure: (inout NetworkingConfiguration) -> Void
        ) async throws -> Result<Echo, RepositoryError> {
            let clock = ManualClock()
            let repository = try HTTPBinRepository.current {
                $0.time = clock
                configure(&$0)
            }
            return await withTaskGroup(of: Result<Echo, RepositoryError>?.self) { group in
                group.addTask { await repository.echo(.get("delay/10")) }
                group.addTask {
                    while !Task.isCancelled {
                        clock.advance(by: .seconds(1))
                        await Task.yield()
                    }
                    return nil
                }
                let result = await group.next()
                group.cancelAll()
                return result.flatMap { $0 } ?? .failure(.cancelled)
            }
        }
    }

    @Test("fifty calls at once each get their own answer")
    func concurrency() async throws {
        let repository = try HTTPBinRepository.current()
        let answers = await withTaskGroup(of: (Int, JSONValue?).self) { group in
            for number in 0..<50 {
                group.addTask {
                    let echo = await repository.echo(.get("anything", query: ["n": .int(Int64(number))]))
                    return (number, try? echo.get().args["n"])
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }

        #expect(answers.count == 50)
        for (number, answer) in answers { #expect(answer == .string("\(number)")) }
    }
}
