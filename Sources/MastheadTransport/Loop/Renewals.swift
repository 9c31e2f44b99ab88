/// Which exchanges may share the connections of an origin, after some of those were refused for a server that was asked some
/// time ago: such a connection takes no more requests, and serves those to the end that were sent when it was trusted.
///
/// libcurl 7.88.1 can't be told to keep a shared connection from new requests: only the server can end it that way. What it
/// never shares are connections whose settings of TLS differ, so exchanges have one that differs, their era (see
/// ``EasyHandle/setEra(_:)``). The first exchange of an era makes the new connection, and the others wait for that here:
/// libcurl would let them join it before anybody knows whether its server is trusted, and tell them nothing of why not.
final class Renewals {
    private struct Renewal {
        let era: Int
        /// Who makes the new connection.
        var first: UInt64?
        var isConnected = false
        var waiting: [Transfer] = []
    }

    private var renewals: [Origin: Renewal] = [:]
    /// Of all origins, so that none has the same twice.
    private var lastEra = 0
    private var released: [Transfer] = []

    /// The era of an origin's exchanges that start now.
    func era(of origin: Origin) -> Int { renewals.isEmpty ? 0 : renewals[origin]?.era ?? 0 }

    /// Begins another era, unless that has happened since.
    func renew(_ origin: Origin, from era: Int) {
        guard self.era(of: origin) == era else { return }
        lastEra += 1
        renewals[origin] = Renewal(era: lastEra, waiting: renewals[origin]?.waiting ?? [])
    }

    /// Whether an exchange may start; if not, it waits here.
    func admits(_ transfer: Transfer) -> Bool {
        guard !renewals.isEmpty, let renewal = renewals[transfer.origin], !renewal.isConnected else { return true }
        guard renewal.first != nil else {
            renewals[transfer.origin]?.first = transfer.id
            return true
        }
        renewals[transfer.origin]?.waiting.append(transfer)
        return false
    }

    /// Notes that an exchange has a connection that it may be sent on.
    func connected(_ transfer: Transfer) {
        guard !renewals.isEmpty, renewals[transfer.origin]?.first == transfer.id else { return }
        renewals[transfer.origin]?.isConnected = true
        release(transfer.origin)
    }

    /// Notes that an exchange has ended, or begins again: if nobody has a connection yet, the next one tries.
    func ended(_ transfer: Transfer) {
        guard !renewals.isEmpty, renewals[transfer.origin]?.first == transfer.id else { return }
        renewals[transfer.origin]?.first = nil
        release(transfer.origin)
    }

    private func release(_ origin: Origin) {
        released += renewals[origin]?.waiting ?? []
        renewals[origin]?.waiting = []
    }

    /// Those that need wait no longer.
    func takeReleased() -> [Transfer] {
        guard !released.isEmpty else { return [] }
        defer { released = [] }
        return released
    }

    /// Takes one out that waits.
    ///
    /// - Returns: Whether it did.
    func remove(_ transfer: Transfer) -> Bool {
        guard !renewals.isEmpty else { return false }
        let place = released.firstIndex { $0 === transfer }
        if let place { released.remove(at: place) }
        let index = renewals[transfer.origin]?.waiting.firstIndex { $0 === transfer }
        if let index { renewals[transfer.origin]?.waiting.remove(at: index) }
        return place != nil || index != nil
    }

    /// Those that wait.
    var waiting: [Transfer] { renewals.isEmpty ? [] : released + renewals.values.flatMap(\.waiting) }
}
