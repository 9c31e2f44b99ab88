import FoundationEssentials
import MastheadLock
import MastheadTransport

/// What takes the events of one set of pins: one object for all of its copies, so that the requests of all repositories with
/// the same pins share connections.
final class PinReporting: Sendable {
    /// What one reporter serves.
    private struct Key: Hashable {
        let certificateAuthorityFile: String?
        let tls: TLSSettings
        let route: NetworkRoute
        let clock: ObjectIdentifier
    }

    private let reporters = Lock<[Key: PinReporter]>([:])

    /// The reporter of pins in a configuration; making it blocks.
    ///
    /// - Parameters:
    ///   - pinning: The pins, of which this object is.
    ///   - configuration: The configuration they are used in.
    ///   - mayExpire: Whether the time will be asked for.
    /// - Returns: The reporter; `nil` if there is nothing that it would do.
    /// - Throws: ``RepositoryError/invalidConfiguration(reason:)`` if there is no such place for reports.
    func reporter(
        of pinning: CertificatePinning,
        in configuration: NetworkingConfiguration,
        mayExpire: Bool
    ) throws(RepositoryError) -> PinReporter? {
        let target = try pinning.reportTarget()
        guard mayExpire || target != nil || pinning.onEvent != nil else { return nil }
        let time = configuration.time
        let key = Key(
            certificateAuthorityFile: configuration.certificateAuthorityFile,
            tls: configuration.tls,
            route: configuration.route,
            clock: type(of: time) is AnyClass
                ? ObjectIdentifier(time as AnyObject) : ObjectIdentifier(type(of: time))
        )
        if let kept = reporters.withLock({ $0[key] }) { return kept }
        let (made, sender) = Self.make(pinning, target, configuration)
        let reporter = reporters.withLock { reporters in
            let reporter = reporters[key] ?? made
            reporters[key] = reporter
            return reporter
        }
        if let sender, reporter == made { Task { await sender.resume() } }
        return reporter
    }

    private static func make(
        _ pinning: CertificatePinning,
        _ target: URL?,
        _ configuration: NetworkingConfiguration
    ) -> (PinReporter, PinReportSender?) {
        let folder = pinning.stateFolder ?? StateFolder.standard(for: ProcessInfo.processInfo.environment)
        let latest = LatestTime(in: folder, time: configuration.time)
        let sender = target.map { PinReportSender(to: $0, in: folder.map { $0 + "/pin-reports" }, configuration) }
        let onEvent = pinning.onEvent
        let time = configuration.time
        let reporter = PinReporter(floor: latest.floor, clock: { latest.now }, keep: { latest.keep($0) }) { event in
            onEvent?(PinningEvent(event, at: time.date))
            await sender?.take(event)
        }
        return (reporter, sender)
    }
}
