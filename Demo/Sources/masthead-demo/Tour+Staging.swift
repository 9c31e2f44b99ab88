import FoundationEssentials
import MastheadNetworking
import MastheadPublishing
import Proofreading
import Synchronization

extension Tour {
    /// The same binary against another environment: another address, another key, and drafts to be seen.
    ///
    /// - Returns: The repositories of the other environment.
    func showSwap(
        from production: Newsstand,
        _ path: String,
        told: ReportedFailures
    ) async throws(Stop) -> Newsstand {
        begin(
            "Another environment, the same binary",
            code: """
                // MASTHEAD_ENVIRONMENT=staging
                let configuration = try NetworkingConfiguration(contentsOf: path, environment: variables) {
                """
        )
        let refused = await production.proofs.drafts()
        if case .failure(.customError(ProofError.notForReaders)) = refused {
            ledger.note("production: .customError(ProofError.notForReaders), the app's own error")
        } else {
            ledger.note("production refuses drafts as ProofError.notForReaders, not \(Self.outcome(refused))", false)
        }
        let variables = ["MASTHEAD_ENVIRONMENT": "staging"]
        let staging = Newsstand(try Self.configuration(path, variables, told), showsPreviews: true)
        let articles = try need("the drafts of the second environment", await staging.proofs.drafts())
        for article in articles { terminal.detail("in proof: “\(article.title)” by \(article.authorName)") }
        let issues = try need("its preview issues", await staging.issues.previewIssues())
        let volumes = try need("its volumes", await staging.volumes.volumes())
        let covers = try need("its covers", await staging.assets.assets(issues.flatMap(\.assetIDs)))
        var differences: [String] = []
        if let expected = manifest?.staging {
            let changed = volumes.filter { volume in expected.volumes.contains { $0.id == volume.id.rawValue } }
            differences += Manifest.differences("draft", expected: expected.articles, actual: articles.map(\.entry))
            differences += Manifest.differences("preview", expected: expected.issues, actual: issues.map(\.entry))
            differences += Manifest.differences("volume", expected: expected.volumes, actual: changed.map(\.entry))
            differences += Manifest.differences("cover", expected: expected.media, actual: covers.map(\.entry))
        }
        differences += try await fetchFiles(of: covers, in: staging).differences
        ledger.note("staging: \(articles.count) drafts, \(issues.count) issue in preview", differences: differences)
        return staging
    }

    /// Reads an environment from a file, and from variables over it.
    static func configuration(
        _ path: String,
        _ variables: [String: String],
        _ told: ReportedFailures
    ) throws(Stop) -> NetworkingConfiguration {
        do throws(RepositoryError) {
            let configuration = try NetworkingConfiguration(contentsOf: path, environment: variables) {
                $0.onDecodingFailure = { told.add($0) }
            }
            return configuration
        } catch {
            throw Stop(message: "\(path): \(name(of: error))")
        }
    }

    /// A body that is not of the model's shape, and what the hook tells of it.
    func showDecodingFailure(of newsstand: Newsstand, told: ReportedFailures) async throws(Stop) {
        begin(
            "A server that changed a field, reported",
            code: """
                $0.onDecodingFailure = { told.add($0) }
                """
        )
        let galley = Article.ID(manifest?.galley ?? "")
        let result = await newsstand.articles.article(galley)
        let reports = told.all
        guard case .failure(.decodeError(let failure)) = result, let report = reports.first, reports.count == 1 else {
            let outcome = "\(Self.outcome(result)), reported \(reports.count) times"
            ledger.note("a field of the wrong type is .decodeError, reported once; not \(outcome)", false)
            return
        }
        terminal.detail("\(report.model) at \(report.codingPath), byte \(report.byteOffset ?? -1): \(report.reason)")
        terminal.detail(String(report.snippet.prefix(120)) + "…")
        if let place = report.snippet.firstRange(of: "authorName") {
            terminal.detail("…" + report.snippet[place.lowerBound...].prefix(119) + "…")
        }
        ledger.note(".decodeError, and the hook was called once with the same", failure == report)
        ledger.note("its path leads to the field", report.codingPath.hasSuffix("authorName"))
        let body = try need("the galley as it came", await newsstand.proofs.answer(galley))
        let found = report.byteOffset.map { String(decoding: body.dropFirst($0).prefix(1), as: UTF8.self) }
        ledger.note("at its byte stands what was found: the object's brace", found == "{")
        let isMasked = !report.snippet.isEmpty && !report.snippet.contains("Abernathy")
        ledger.note("its snippet shows keys and masks what they hold", isMasked)
    }
}

/// Collects what the decode hook is told.
final class ReportedFailures: Sendable {
    private let failures = Mutex<[DecodingFailure]>([])

    var all: [DecodingFailure] { failures.withLock { $0 } }

    func add(_ failure: DecodingFailure) {
        failures.withLock { $0.append(failure) }
    }
}
