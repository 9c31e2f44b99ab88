import Foundation

/// Runs a program to its end and gives what it wrote, errors included; on a thread that may wait.
func run(_ path: String, _ arguments: [String], input: String = "") throws -> (status: Int32, output: String) {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = pipe
    let inputPipe = Pipe()
    process.standardInput = inputPipe
    try process.run()
    // A tool may have ended before it read its input: that is an error of the write then, and not the end of the process.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    // Left open until the end: some tools hang up at the end of their input.
    try? inputPipe.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    try inputPipe.fileHandleForWriting.close()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
}
