// Brings a library up to date with a publisher in memory, round after round, until somebody kills it, and says on its
// standard output what it is at.
//
// usage: SyncWorker MODE FOLDER SEED STALL
//
// STALL is the number of the transaction in which it waits to be killed, at its begin or before its commit; 0 for none.
//
// `T` stands for a transaction that was begun, `t` for one whose statements are done. `R number` is a round of changes at the
// publisher's, whose sync begins; `S number` one whose sync is over; `E` what went wrong. In mode `kill` it goes on until it is
// killed, and in mode `share` until there is a file `stop` beside the library; then it says `D`.

import CatalogueKit
import CrashKit
import FoundationEssentials
import MastheadPublishing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

let arguments = CommandLine.arguments
guard arguments.count == 5, let seed = UInt64(arguments[3]), let stall = Int(arguments[4]) else { exit(64) }
let (mode, folder) = (arguments[1], URL(filePath: arguments[2]))

let teller = TransactionTeller(stall: stall, atBegin: seed % 2 == 0)

let publisher = StubPublisher.common()
do {
    let library = try await Library(
        directory: folder.appending(path: "library"),
        catalogue: publisher.repositories(),
        shrinkage: .believes,
        whenInTransaction: teller.tell
    )
    try await library.addAllVolumes()
    say("S 0")
    var round = 0
    while mode == "kill" || access(arguments[2] + "/stop", F_OK) != 0 {
        round += 1
        publisher.change(round: round, seed: seed)
        say("R \(round)")
        try await library.refresh()
        say("S \(round)")
    }
    await library.close()
    say("D \(round)")
} catch {
    say("E \(error)")
    exit(1)
}
