import Foundation

/// The demo's publisher, started by a test for a server that the demo does not know of.
final class Publisher {
    /// Where its catalogue is, and for which key.
    let url: String
    let clientKey: String

    private let process = Process()
    private let input = Pipe()

    init(data: URL = Program.magazine) async throws {
        let output = Pipe()
        process.executableURL = Program.products.appending(path: "masthead-publisher")
        process.arguments = ["--data", data.path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = await Self.line(output.fileHandleForReading)
        let addresses = try JSONDecoder().decode(Addresses.self, from: line)
        url = addresses.production.url
        clientKey = addresses.production.clientKey
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Reads the first line, on a thread of its own.
    private static func line(_ file: FileHandle) async -> Data {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var line = Data()
                while line.last != UInt8(ascii: "\n"), case let more = file.availableData, !more.isEmpty {
                    line += more
                }
                continuation.resume(returning: line)
            }
        }
    }

    private struct Addresses: Decodable {
        struct Environment: Decodable {
            let url: String
            let clientKey: String
        }

        let production: Environment
    }
}
