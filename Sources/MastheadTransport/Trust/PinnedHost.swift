package import FoundationEssentials

/// One host's pins, and how far they reach.
package struct PinnedHost: Hashable, Sendable {
    /// The name, as ``HostName/normalised(_:)`` has it.
    package let name: String
    /// Whether they hold for every name below it too; never for an address.
    package let includesSubdomains: Bool
    /// Names below it, normalised, that they hold for no more than for what is below those.
    package let excludedSubdomains: Set<String>
    package let pins: Set<Pin>
    /// From when on they hold no more; `nil` for never.
    package let expiry: Date?
    /// Whether the host is refused from then on, rather than taken for one without pins.
    package let failsWhenExpired: Bool
    /// Whether a chain without any of them is refused, rather than reported.
    package let isEnforced: Bool

    /// Makes the pins of a host.
    ///
    /// - Throws: ``TransportError/setup(_:)`` if the host or an exclusion is no name, and no address either.
    package init(
        _ host: String,
        includesSubdomains: Bool = false,
        excludedSubdomains: some Sequence<String> = [],
        pins: some Sequence<Pin>,
        expiry: Date? = nil,
        failsWhenExpired: Bool = false,
        isEnforced: Bool = true
    ) throws(TransportError) {
        name = try Self.normalised(host)
        self.includesSubdomains = includesSubdomains
        var excluded: Set<String> = []
        for name in excludedSubdomains { excluded.insert(try Self.normalised(name)) }
        self.excludedSubdomains = excluded
        self.pins = Set(pins)
        self.expiry = expiry
        self.failsWhenExpired = failsWhenExpired
        self.isEnforced = isEnforced
    }

    private static func normalised(_ name: String) throws(TransportError) -> String {
        guard let normalised = HostName.normalised(name) else { throw .setup("\"\(name)\" is no host's name") }
        return normalised
    }

    /// Whether they hold for a host, whose name is normalised.
    package func covers(_ host: String) -> Bool {
        if host == name { return true }
        guard includesSubdomains, Self.isBelow(host, name), !HostName.isAddress(name) else { return false }
        return !excludedSubdomains.contains { host == $0 || Self.isBelow(host, $0) }
    }

    private static func isBelow(_ host: String, _ parent: String) -> Bool {
        host.utf8.count > parent.utf8.count + 1 && host.hasSuffix("." + parent)
    }
}
