import MastheadTransport
import Testing

@Suite("Finding a loop")
struct LoopFinderTests {
    /// No other has this file of authorities.
    private let policy = TrustPolicy(certificateAuthorityFile: "/nonexistent/\(UInt64.random(in: 0 ... .max))")

    private func finder(remembers: Bool) -> LoopFinder {
        LoopFinder(
            policy: policy,
            route: TransportRoute(),
            idleLifetime: .seconds(60),
            longestWait: .zero,
            remembers: remembers
        )
    }

    @Test("gives everybody with the same policy and route the same one, and each purpose its own")
    func shares() {
        let finders = [finder(remembers: true), finder(remembers: false), finder(remembers: true)]
        let loops = finders.map { $0.loop(.exchanges) }
        #expect(loops.allSatisfy { $0 === loops[0] })
        #expect(finders.allSatisfy { $0.loop(.exchanges) === loops[0] && $0.loop(.files) !== loops[0] })
        loops[0].forget()
        finders[0].loop(.files).forget()
    }

    @Test("lets go of a remembered one that is no longer everybody's")
    func letsGo() {
        let remembering = finder(remembers: true)
        let first = remembering.loop(.exchanges)
        first.forget()
        let second = finder(remembers: false).loop(.exchanges)
        #expect(second !== first)
        #expect(remembering.loop(.exchanges) === second)
        second.forget()
    }
}

extension TransferLoop {
    /// Does what its thread does at its end.
    fileprivate func forget() { LoopRegistry.shared.remove(self) }
}
