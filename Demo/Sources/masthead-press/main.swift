// Draws the covers and makes the sounds of the demo's magazine, then writes down what a reader must get of it.
//
//     swift run masthead-press FOLDER MANIFEST
//
// FOLDER is Sources/masthead-publisher/Resources/Magazine, MANIFEST is Sources/masthead-demo/Resources/manifest.json.
// The same press prints the same bytes.

import Foundation
import Proofreading

guard CommandLine.arguments.count == 3, !CommandLine.arguments[1].hasPrefix("-") else {
    print("usage: masthead-press FOLDER-OF-THE-MAGAZINE MANIFEST")
    exit(2)
}

let folder = URL(filePath: CommandLine.arguments[1])

func print(_ bytes: [UInt8], as name: String) throws {
    try Data(bytes).write(to: folder.appending(path: "files/" + name))
    Swift.print("\(name): \(bytes.count) bytes")
}

for number in 1...5 {
    let cover = Covers.cover(number)
    try print(PNG.encode(cover, palette: Covers.palette), as: "cover\(number).png")
    try print(PNG.encode(cover.reduced(by: 4), palette: Covers.palette), as: "cover\(number)-thumb.png")
}
try print(PNG.encode(Covers.emblem(), palette: Covers.palette), as: "nightglass.png")
try print(Sounds.bell(), as: "bell.wav")
try print(Sounds.tick(), as: "tick.wav")

let encoder = JSONEncoder()
encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
try encoder.encode(Proofs.manifest(of: folder)).write(to: URL(filePath: CommandLine.arguments[2]))
