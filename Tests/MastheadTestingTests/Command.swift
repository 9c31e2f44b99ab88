import Foundation

/// Runs a program to its end, without an environment, and gives what it wrote, errors included; on a thread that may wait.
///
/// Foundation's `Process` may crash the tests: while it starts a program it reads a listing of the open files beyond its end,
/// if there are many.
func run(_ path: String, _ arguments: [String], input: String = "") throws -> (status: Int32, output: String) {
    let (standardInput, standardOutput) = (Pipe(), Pipe())
    let child = standardOutput.fileHandleForWriting.fileDescriptor
    for pipe in [standardInput, standardOutput] {
        for end in [pipe.fileHandleForReading, pipe.fileHandleForWriting] {
            _ = fcntl(end.fileDescriptor, F_SETFD, FD_CLOEXEC)
        }
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, standardInput.fileHandleForReading.fileDescriptor, 0)
    for output: Int32 in [1, 2] { posix_spawn_file_actions_adddup2(&actions, child, output) }
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var id = pid_t()
    let code = posix_spawn(&id, path, &actions, nil, &words, nil)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
    try standardInput.fileHandleForReading.close()
    try standardOutput.fileHandleForWriting.close()
    // A tool may have ended before it read its input: that is an error of the write then, and not the end of the process.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    // Left open until the end: some tools hang up at the end of their input.
    try? standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    let output = try standardOutput.fileHandleForReading.readToEnd() ?? Data()
    try standardInput.fileHandleForWriting.close()
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    let isExit = status & 0x7F == 0
    return (isExit ? status >> 8 & 0xFF : status & 0x7F, String(decoding: output, as: UTF8.self))
}
