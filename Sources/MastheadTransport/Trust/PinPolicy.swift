package import FoundationEssentials

/// Which hosts are known by which pins.
package struct PinPolicy: Hashable, Sendable {
    package var hosts: [PinnedHost]
    /// Whether hosts that none of them covers are trusted as without pins.
    package var allowsUnpinnedHosts: Bool

    package init(hosts: [PinnedHost], allowsUnpinnedHosts: Bool = true) {
        self.hosts = hosts
        self.allowsUnpinnedHosts = allowsUnpinnedHosts
    }

    /// The pins that hold for a host in any spelling: those of the longest name that covers it, and of no other.
    package func host(for name: String) -> PinnedHost? {
        guard let name = HostName.normalised(name) else { return nil }
        return match(name)
    }

    private func match(_ name: String) -> PinnedHost? {
        var longest: PinnedHost?
        for host in hosts where host.covers(name) && host.name.utf8.count > longest?.name.utf8.count ?? -1 {
            longest = host
        }
        return longest
    }

    /// Whether any of them is a certificate's.
    var hasCertificatePins: Bool {
        hosts.contains { host in
            host.pins.contains { if case .certificate = $0 { true } else { false } }
        }
    }

    /// Judges the chain that was built from a host's certificate up to a trusted root.
    ///
    /// - Parameters:
    ///   - chain: Every pin that the chain fulfils: asked for only if the host has pins. None is as good as no chain.
    ///   - name: The host that was asked for, in any spelling.
    ///   - now: The wall clock.
    /// - Returns: Whether something may be sent there, and why.
    package func judge(chain: @autoclosure () -> [Pin], host name: String, now: @autoclosure () -> Date) -> PinVerdict {
        // What is no name cannot be looked up, so nobody knows what holds for it.
        guard let name = HostName.normalised(name) else { return .refused(.unpinnedHost, nil) }
        guard let host = match(name) else { return allowsUnpinnedHosts ? .unpinned : .refused(.unpinnedHost, nil) }
        if let expiry = host.expiry, expiry <= now() {
            return host.failsWhenExpired ? .refused(.expired, host) : .expired(host)
        }
        if chain().contains(where: host.pins.contains) { return .matched(host) }
        return host.isEnforced ? .refused(.mismatch, host) : .reported(host)
    }
}
