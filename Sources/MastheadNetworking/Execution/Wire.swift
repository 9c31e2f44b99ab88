import MastheadTransport

/// What the exchanges of a configuration need, made once for all of them.
final class Wire: Sendable {
    /// `nil` if it depends on where a request goes.
    let transport: Transport?
    let clock: any TransportClock

    /// Makes it, if the configuration's trust is known.
    init?(_ configuration: NetworkingConfiguration) {
        guard let trust = configuration.trust else { return nil }
        let route = try? TransportRoute(configuration.route)
        let isOneForAll = configuration.route.proxy?.exceptions.isEmpty ?? true
        transport = isOneForAll ? route.map { Transport(policy: trust, route: $0, remembersLoop: true) } : nil
        clock = Self.clock(of: configuration.time)
    }

    /// A time, as the transport sees it.
    static func clock(of time: any TimeSource) -> any TransportClock {
        if time is SystemTime { SystemTransportClock() } else { ClockOfTime(time: time) }
    }
}
