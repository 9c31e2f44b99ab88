import MastheadNetworking
import MastheadPublishing

extension LibraryCommand {
    /// Brings the library up to date with a server: the demo's own publisher, unless another was named.
    func sync() async throws(Tour.Stop) -> Int32 {
        guard options.server == nil else {
            return try await sync(with: try options.serverConfiguration())
        }
        let (publisher, addresses) = try await PublisherProcess.start(dataFolder: options.dataFolder)
        let outcome: Result<Int32, Tour.Stop>
        do throws(Tour.Stop) {
            outcome = .success(try await sync(with: try Self.configuration(addresses)))
        } catch {
            outcome = .failure(error)
        }
        await publisher.stop()
        return try outcome.get()
    }

    /// The publisher's port and key are new each time; its name is not, and a library knows a catalogue by its name.
    private static func configuration(
        _ addresses: PublisherProcess.Addresses
    ) throws(Tour.Stop) -> NetworkingConfiguration {
        let address = try NetworkingConfiguration(server: addresses.production.url)
        return NetworkingConfiguration(domainURL: "nightglass.example") {
            $0.useSecureConnection = false
            $0.clientKey = Secret(addresses.production.clientKey)
            $0.route.addresses = ["nightglass.example": "\(address.domainURL):\(address.port ?? 80)"]
        }
    }

    private func sync(with configuration: NetworkingConfiguration) async throws(Tour.Stop) -> Int32 {
        try options.library.makeParent()
        let report = try await withLibrary(Catalogue(configuration: configuration)) { library throws(LibraryError) in
            try await library.addAllVolumes(limit: 100)
        }
        tell(report)
        terminal.detail("the library: \(options.library.path)")
        return 0
    }

    private func tell(_ report: SyncReport) {
        let requests = "in \(counted(report.requestCount, "request"))"
        guard !report.isEmpty else {
            terminal.good("nothing changed, \(requests)")
            tellOfTheRest(report)
            return
        }
        let came = [
            counted(report.volumes.count, "volume"), counted(report.issues.count, "issue"),
            counted(report.articles.count, "article"), counted(report.assets.count, "asset"),
        ]
        terminal.good("\(came.joined(separator: ", ")) came, \(requests)")
        for item in report.removed { terminal.line("  removed: \(item.description.printable)") }
        tellOfTheRest(report)
    }

    private func tellOfTheRest(_ report: SyncReport) {
        for list in report.keptLists {
            let holder = list.holder.map { "of \($0.description.printable)" } ?? "of the catalogue"
            terminal.line("  kept: \(list.missing.count) \(list.kind) \(holder), whose list has \(list.count) now")
        }
        for item in report.unknown { terminal.line("  not known to the server: \(item.description.printable)") }
    }
}

/// A number with what it counts.
func counted(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
}
