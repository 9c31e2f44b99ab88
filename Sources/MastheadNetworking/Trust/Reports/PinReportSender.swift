package import FoundationEssentials
package import MastheadTransport

/// Posts the reports of one set of pins, one after the other, whatever becomes of the requests they are about.
package actor PinReportSender {
    private let target: URL
    private let configuration: NetworkingConfiguration
    private let path: String?
    private let application: String
    private var ledger = PinReportLedger()
    /// Those that wait where there is no folder.
    private var bodies: [String: Data] = [:]
    private var loading: Task<PinReportFolder?, Never>?
    private var isPosting = false

    /// Makes a sender.
    ///
    /// - Parameters:
    ///   - target: Where reports go.
    ///   - path: The folder in which they wait, opened when it is needed; `nil` for none.
    ///   - configuration: The pinned configuration, for its authorities, its route and its clock.
    package init(to target: URL, in path: String?, _ configuration: NetworkingConfiguration) {
        self.target = target
        self.path = path
        self.configuration = Self.plain(configuration, for: target)
        application = StateFolder.applicationName ?? ""
    }

    /// Takes a report of an event, and posts it when it is its turn.
    package func take(_ event: PinEvent) async {
        let date = Date(timeIntervalSince1970: configuration.time.date.timeIntervalSince1970.rounded(.down))
        guard let report = PinReport(event, at: date, application: application) else { return }
        _ = await folder()
        await forget(at: date)
        guard ledger.admits(report.key, at: date) else { return }
        let isKept = await onDisk { $0.keep(report, at: date) } ?? false
        if !isKept { bodies[report.key] = report.body }
        ledger.enqueue(report.key)
        post()
    }

    /// Posts what an earlier process left.
    package func resume() async {
        _ = await folder()
        post()
    }

    /// Posts what waits, unless that is under way.
    private func post() {
        guard !isPosting, ledger.next != nil else { return }
        isPosting = true
        Task {
            while let key = ledger.next {
                let wait = await post(key)
                guard wait > .zero else { continue }
                // A clock that does not wait must not make this a storm: the next report begins anew.
                guard (try? await configuration.time.sleep(until: configuration.time.now + wait)) != nil else { break }
            }
            isPosting = false
        }
    }

    /// Posts one report.
    ///
    /// - Returns: How long to wait before the next.
    private func post(_ key: String) async -> Duration {
        guard let date = ledger.made[key] else {
            ledger.withdraw(key)
            return .zero
        }
        guard let body = await body(of: key, at: date) else {
            ledger.withdraw(key)
            return .zero
        }
        let outcome = await exchange(body)
        let step = ledger.ended(key, outcome)
        if step.isDone {
            bodies[key] = nil
            await onDisk { $0.finish(key, at: date) }
        }
        return step.wait
    }

    /// The folder, opened once; `nil` if there is none.
    private func folder() async -> PinReportFolder? {
        if let loading { return await loading.value }
        let task = Task { [path] in
            let opened = await OwnThread.run { () -> (PinReportFolder, PinReportLedger)? in
                guard let path, let folder = PinReportFolder(path) else { return nil }
                return (folder, folder.ledger())
            }
            // Nothing is taken in before this is done.
            if let opened { ledger = opened.1 }
            return opened?.0
        }
        loading = task
        return await task.value
    }

    private func body(of key: String, at date: Date) async -> Data? {
        if let body = bodies[key] { return body }
        return await onDisk { $0.report(key, at: date) } ?? nil
    }

    private func exchange(_ body: Data) async -> PinReportLedger.Outcome {
        let request = HTTPRequest(
            method: .post,
            url: target,
            headers: ["Content-Type": "application/json", "User-Agent": NetworkingConfiguration.userAgent],
            body: .data(body),
            timeout: .seconds(60)
        )
        do throws(RepositoryError) {
            let status = try await LibcurlExecutor().execute(request, configuration).status
            switch status {
            case 200..<300: return .delivered
            case 408, 425, 429, 500...: return .failed
            default: return .refused
            }
        } catch {
            return .failed
        }
    }

    private func forget(at date: Date) async {
        let made = ledger.made
        let old = ledger.forget(at: date)
        guard !old.isEmpty else { return }
        await onDisk { folder in
            for key in old {
                if let date = made[key] { folder.forget(key, at: date) }
            }
        }
    }

    @discardableResult
    private func onDisk<Output: Sendable>(_ work: @escaping @Sendable (PinReportFolder) -> Output) async -> Output? {
        guard let folder = await folder() else { return nil }
        return await OwnThread.run { work(folder) }
    }

    /// The configuration of a client without pins, and without anything that is the app's.
    private static func plain(_ pinned: NetworkingConfiguration, for target: URL) -> NetworkingConfiguration {
        NetworkingConfiguration(domainURL: target.host() ?? "", port: target.port) {
            $0.certificateAuthorityFile = pinned.certificateAuthorityFile
            $0.tls.minimumVersion = pinned.tls.minimumVersion
            $0.route = pinned.route
            $0.time = pinned.time
            $0.timeout = .seconds(30)
            $0.maximumBodySize = 64 << 10
        }
    }
}
