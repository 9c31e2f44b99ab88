import FoundationEssentials
import MastheadLock
import MastheadTransport

/// What the exchanges of a configuration need, made once for all of them.
final class Wire: Sendable {
    /// `nil` if it depends on where a request goes.
    let transport: Transport?
    let clock: any TransportClock
    /// Whether some hosts are known by their keys.
    let hasPins: Bool

    /// Where a request goes, as the transport sees it.
    struct Target: Sendable {
        let text: String
        /// `nil` if there is none: the transport says what is wrong.
        let origin: MastheadTransport.Origin?
    }

    /// A request that went out.
    private struct Known {
        let url: String
        let target: Target
    }

    /// Where the last request went.
    private let last = Lock<Known?>(nil)

    /// Makes it, if the configuration's trust is known.
    init?(_ configuration: NetworkingConfiguration) {
        guard let trust = configuration.trust else { return nil }
        let route = try? TransportRoute(configuration.route)
        let isOneForAll = configuration.route.proxy?.exceptions.isEmpty ?? true
        transport = isOneForAll ? route.map { Transport(policy: trust, route: $0, remembersLoop: true) } : nil
        clock = Self.clock(of: configuration.time)
        hasPins = trust.pins != nil
    }

    /// Where a request goes: apps ask for the same again and again, so the last one is remembered.
    ///
    /// - Throws: ``RepositoryError/invalidURL(reason:)`` for a host that cannot be one.
    func target(of url: URL) throws(RepositoryError) -> Target {
        let plain = url.absoluteString
        if let target = last.withLock({ $0?.url == plain ? $0?.target : nil }) { return target }
        let text = try url.wireText
        let target = Target(text: text, origin: MastheadTransport.Origin(url: text))
        last.withLock { $0 = Known(url: plain, target: target) }
        return target
    }

    /// A time, as the transport sees it.
    static func clock(of time: any TimeSource) -> any TransportClock {
        if time is SystemTime { SystemTransportClock() } else { ClockOfTime(time: time) }
    }
}
