import MastheadNetworking
import MastheadPublishing
import Proofreading

extension Tour {
    /// What an app switches on: refusals by name.
    func showRefusals(of newsstand: Newsstand) async throws(Stop) {
        begin(
            "Refusals by name",
            code: """
                switch await newsstand.volumes.volume(almanac) {
                case .failure(.customError(VolumeError.withdrawn)): showWithdrawn()
                """
        )
        let almanac = Volume.ID(manifest?.withdrawn.id ?? "")
        func showWithdrawn() { ledger.note("410 for a volume taken back: .customError(VolumeError.withdrawn)") }
        switch await newsstand.volumes.volume(almanac) {
        case .failure(.customError(VolumeError.withdrawn)): showWithdrawn()
        case let other: ledger.note("410 is VolumeError.withdrawn, not \(Self.outcome(other))", false)
        }
        try await showNotice(of: newsstand)
        let unknown = await newsstand.articles.article("no/such?article")
        if case .failure(.customError(ArticleError.unknownArticle)) = unknown {
            ledger.note("404 for an id that looks like a path: .customError(ArticleError.unknownArticle)")
        } else {
            ledger.note("404 is ArticleError.unknownArticle, not \(Self.outcome(unknown))", false)
        }
        var stranger = newsstand.configuration
        stranger.clientKey = "not-the-key"
        let refused = await Newsstand(stranger).volumes.volumes()
        if case .failure(.requestError(let answer)) = refused, answer.status == 401 {
            ledger.note("401 for a wrong key: .requestError")
        } else {
            ledger.note("401 is .requestError, not \(Self.outcome(refused))", false)
        }
    }

    /// The refusal as it came: nothing of it is thrown away.
    private func showNotice(of newsstand: Newsstand) async throws(Stop) {
        guard let withdrawn = manifest?.withdrawn else { return }
        let result = await newsstand.proofs.volume(sku: withdrawn.sku)
        guard case .failure(.requestError(let refusal)) = result else {
            ledger.note("a refusal nobody mapped is .requestError, not \(Self.outcome(result))", false)
            return
        }
        let detail = refusal.value(at: "/detail")?.stringValue
        ledger.note("its body can be asked: “\(detail ?? "")”", detail == withdrawn.detail)
    }

    /// A call that is given up while the server keeps silent.
    func showCancellation(in newsstand: Newsstand) async throws(Stop) {
        begin(
            "A cancelled call says so, at once",
            code: """
                let reading = Task { await silent.articles.articles() }
                reading.cancel()
                """
        )
        guard let server = SilentServer() else { throw Stop(message: "no free port on 127.0.0.1") }
        var configuration = newsstand.configuration
        configuration.domainURL = "127.0.0.1"
        configuration.port = server.port
        configuration.useSecureConnection = false
        let silent = Newsstand(configuration)
        let reading = Task { await silent.articles.articles() }
        reading.cancel()
        let result = await reading.value
        if case .failure(.cancelled) = result {
            ledger.note("a server that never answers, left: .cancelled")
        } else {
            ledger.note("a cancelled call is .cancelled, not \(Self.outcome(result))", false)
        }
    }

    /// Nothing listens any more.
    func showRefusedConnection(of newsstand: Newsstand) async {
        let result = await newsstand.volumes.volumes()
        if case .failure(.refused(let host)) = result {
            ledger.note("the publisher is gone: .refused(host: \"\(host)\")")
        } else {
            ledger.note("a server that is gone is .refused, not \(Self.outcome(result))", false)
        }
    }

    static func outcome<Value>(_ result: Result<Value, RepositoryError>) -> String {
        switch result {
        case .success: "a success"
        case .failure(let error): name(of: error)
        }
    }
}
