// The demo's publisher: a magazine behind the Magnet read API, in a process of its own.
//
//     masthead-publisher [--data FOLDER]
//
// It prints one line of JSON when it is ready, and one with what it has seen when it ends; it ends at SIGTERM, at
// SIGINT, and when its standard input closes, so that it never outlives the one who started it.

import Foundation
import MagazineServer

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("masthead-publisher: \(message)\n".utf8))
    exit(1)
}

func printLine(_ members: [String: Any]) {
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
    guard let line = try? JSONSerialization.data(withJSONObject: members, options: options) else { return }
    // Whoever read it may be gone; that is no reason to crash.
    try? FileHandle.standardOutput.write(contentsOf: line + Data("\n".utf8))
}

/// The key of an environment: from a variable, so that a script can know it, or a new one for each run.
func clientKey(_ variable: String) -> String {
    if let key = ProcessInfo.processInfo.environment[variable], !key.isEmpty { return key }
    return (0..<4).map { _ in String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16) }.joined()
}

func folderOfTheMagazine() -> URL {
    let arguments = CommandLine.arguments.dropFirst()
    switch (arguments.first, arguments.count) {
    case (nil, _): return Bundle.module.bundleURL.appending(path: "Magazine")
    case ("--data", 2): return URL(filePath: CommandLine.arguments[2])
    default:
        print(
            """
            usage: masthead-publisher [--data FOLDER]
            Serves a magazine on free ports of 127.0.0.1 until standard input closes. The client keys are random, or
            NIGHTGLASS_PRODUCTION_KEY and NIGHTGLASS_STAGING_KEY of the environment.
            """
        )
        exit(arguments.first == "--help" ? 0 : 2)
    }
}

/// Returns when SIGTERM, SIGINT or SIGHUP came, or standard input is at its end.
func waitForTheEnd(_ ending: sigset_t) {
    Thread.detachNewThread {
        while !FileHandle.standardInput.availableData.isEmpty {}
        kill(getpid(), SIGTERM)
    }
    var ending = ending
    var number: Int32 = 0
    sigwait(&ending, &number)
}

// Blocked before any thread starts, so that each inherits it and only `sigwait` sees them.
var ending = sigset_t()
sigemptyset(&ending)
for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&ending, number) }
pthread_sigmask(SIG_BLOCK, &ending, nil)
signal(SIGPIPE, SIG_IGN)

let folder = folderOfTheMagazine()
let keys = (production: clientKey("NIGHTGLASS_PRODUCTION_KEY"), staging: clientKey("NIGHTGLASS_STAGING_KEY"))
let mediaServer = MediaServer(folder: folder.appending(path: "files"))
guard let media = HTTPDaemon(isLeak: MediaServer.bearsSecret, answer: mediaServer.answer) else {
    fail("no free port on 127.0.0.1")
}

let mediaURL = "http://127.0.0.1:\(media.port)"
do {
    let magazine = try Magazine(folder: folder, mediaURL: mediaURL, withProofs: false)
    let proofs = try Magazine(folder: folder, mediaURL: mediaURL, withProofs: true)
    let catalogue = CatalogueServer(magazine: magazine, clientKey: keys.production, allowsPreview: false)
    let stagingCatalogue = CatalogueServer(magazine: proofs, clientKey: keys.staging, allowsPreview: true)
    guard let production = HTTPDaemon(answer: catalogue.answer),
        let staging = HTTPDaemon(answer: stagingCatalogue.answer)
    else {
        fail("no free port on 127.0.0.1")
    }
    printLine([
        "name": magazine.name,
        "pid": getpid(),
        "production": ["url": "http://127.0.0.1:\(production.port)/", "clientKey": keys.production],
        "staging": ["url": "http://127.0.0.1:\(staging.port)/", "clientKey": keys.staging],
        "media": mediaURL + "/",
    ])
    waitForTheEnd(ending)
    printLine([
        "requests": production.requestCount + staging.requestCount,
        "mediaRequests": media.requestCount,
        "secretsShownToMediaHost": media.leakCount,
    ])
} catch {
    fail("\(error)")
}
