import Foundation

/// Runs a program to its end, without an environment, and gives what it wrote, errors included; on a thread that may wait.
///
/// Foundation's `Process` may crash the tests: while it starts a program it reads a listing of the open files beyond its end,
/// if there are many.
func run(_ path: String, _ arguments: [String], input: String = "") throws -> (status: Int32, output: String) {
    let (standardInput, standardOutput) = (try CommandPipe(), try CommandPipe())
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, standardInput.reading.fileDescriptor, 0)
    for output: Int32 in [1, 2] {
        posix_spawn_file_actions_adddup2(&actions, standardOutput.writing.fileDescriptor, output)
    }
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var id = pid_t()
    let code = posix_spawn(&id, path, &actions, nil, &words, nil)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
    try standardInput.reading.close()
    try standardOutput.writing.close()
    // A tool may have ended before it read its input: that is an error of the write then, and not the end of the process.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    // Left open until the end: some tools hang up at the end of their input.
    try? standardInput.writing.write(contentsOf: Data(input.utf8))
    let output = try standardOutput.reading.readToEnd() ?? Data()
    try standardInput.writing.close()
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    let isExit = status & 0x7F == 0
    return (isExit ? status >> 8 & 0xFF : status & 0x7F, String(decoding: output, as: UTF8.self))
}

/// A pipe that no other program inherits that is started at the same time, not even one started between two calls: its end
/// would be waited for.
private struct CommandPipe {
    let reading: FileHandle
    let writing: FileHandle

    init() throws {
        var ends: [Int32] = [-1, -1]
        // A pair of sockets, since the call for a pipe of this kind is not among those of Swift's Glibc.
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE)
        }
        reading = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        writing = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    }
}
