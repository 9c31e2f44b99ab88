import CalibreCatalogue
import FoundationEssentials
import MastheadNetworking
import MastheadPublishing
import Proofreading

/// Runs what the command line asks for.
struct Demo: Sendable {
    let options: Options
    let terminal: Terminal

    /// - Returns: The status the process ends with.
    func run() async -> Int32 {
        switch options.mode {
        case .help:
            terminal.line(Options.usage)
            return 0
        case .pins(let server):
            return await PinsCommand(server: server, authorities: options.authorities, terminal: terminal).run()
        case .library(let action):
            return await LibraryCommand(action: action, options: options, terminal: terminal).run()
        case .tour: return await tourThePublisher()
        case .server:
            return await tour { tour throws(Tour.Stop) in
                let newsstand = Newsstand(try options.serverConfiguration())
                let volumes = try await tour.showVolumes(of: newsstand)
                let wholes = try await tour.showIssues(of: Array(volumes.prefix(2)), in: newsstand)
                try await tour.showFiles(of: wholes, in: newsstand)
                try await tour.showCancellation(in: newsstand)
            }
        case .calibre(let url):
            return await tour { tour throws(Tour.Stop) in
                try await tour.showBooks(of: CalibreRepository(configuration: try NetworkingConfiguration(server: url)))
            }
        }
    }

    private func tourThePublisher() async -> Int32 {
        let publisher: PublisherProcess
        let addresses: PublisherProcess.Addresses
        do {
            (publisher, addresses) = try await PublisherProcess.start(dataFolder: options.dataFolder)
        } catch {
            return end(Ledger(terminal), stop: error.message)
        }
        terminal.line("“\(addresses.name)”: a publisher with pid \(publisher.identifier) on 127.0.0.1")
        let manifest = try? JSONDecoder().decode(Manifest.self, from: Data(PackageResources.manifest_json))
        let status = await tour(manifest: manifest) { tour throws(Tour.Stop) in
            do throws(Tour.Stop) {
                try await walk(tour, publisher, addresses)
            } catch {
                // Why it failed, rather than what that looked like from this side.
                if await publisher.stop() != nil { throw error }
                throw Self.isGone(publisher, error.message)
            }
        }
        await publisher.stop()
        return status
    }

    private func walk(
        _ tour: Tour,
        _ publisher: PublisherProcess,
        _ addresses: PublisherProcess.Addresses
    ) async throws(Tour.Stop) {
        tour.ledger.note("the publisher is “\(tour.manifest?.name ?? "")”", addresses.name == tour.manifest?.name)
        let environments = try Environments(addresses)
        defer { environments.remove() }
        let told = ReportedFailures()

        let variables = ["MASTHEAD_ENVIRONMENT": "production"]
        let newsstand = Newsstand(try Tour.configuration(environments.path, variables, told))
        let volumes = try await tour.showVolumes(of: newsstand)
        let wholes = try await tour.showIssues(of: volumes, in: newsstand)
        try await tour.showFiles(of: wholes, in: newsstand)
        try await tour.showDownload(from: addresses.media, into: environments.folder)
        try await tour.showRefusals(of: newsstand)
        let staging = try await tour.showSwap(from: newsstand, environments.path, told: told)
        try await tour.showDecodingFailure(of: staging, told: told)
        try await tour.showRawAnswers(of: newsstand, staging, media: addresses.media)
        try await tour.showCancellation(in: newsstand)
        let ids = wholes.map(\.issue.id)
        try await tour.showCache(of: ids, newsstand.configuration, in: environments.folder + "/cache")
        try await tour.showLibrary(of: newsstand.configuration, in: environments.folder + "/library")

        guard let account = await publisher.stop() else { throw Self.isGone(publisher, "it should still have run") }
        await tour.showRefusedConnection(of: newsstand)
        await tour.showOffline(of: ids, newsstand.configuration, in: environments.folder + "/cache")
        tour.ledger.note(
            "\(account.mediaRequests) requests at the media host, \(account.secretsShownToMediaHost) with a key",
            account.secretsShownToMediaHost == 0 && account.mediaRequests > 0
        )
    }

    private static func isGone(_ publisher: PublisherProcess, _ symptom: String) -> Tour.Stop {
        Tour.Stop(message: "the publisher (pid \(publisher.identifier)) is gone: \(publisher.ending); \(symptom)")
    }

    private func tour(
        manifest: Manifest? = nil,
        _ walk: (Tour) async throws(Tour.Stop) -> Void
    ) async -> Int32 {
        let tour = Tour(options, terminal, manifest: manifest)
        do {
            try await walk(tour)
            return end(tour.ledger, stop: nil)
        } catch {
            return end(tour.ledger, stop: tour.partName.isEmpty ? error.message : "\(tour.partName): \(error.message)")
        }
    }

    private func end(_ ledger: Ledger, stop: String?) -> Int32 {
        terminal.line()
        if Task.isCancelled {
            terminal.bad("interrupted")
            return 130
        }
        if let stop { terminal.bad(stop) }
        for problem in ledger.problems { terminal.bad(problem) }
        guard stop == nil, ledger.problems.isEmpty else {
            let end = stop == nil ? "to the end" : "and stopped there"
            terminal.line("\(ledger.problems.count) of \(ledger.facts) facts wrong, \(end)")
            return 1
        }
        terminal.line("all of \(ledger.facts) facts right")
        return 0
    }
}
