import Glibc

/// Writes to standard output: with colours and moving figures for a person, plainly for a pipe or a check.
struct Terminal: Sendable {
    /// How a piece of text looks.
    enum Style: String {
        case title = "1;38;5;222"
        case code = "38;5;109"
        case good = "38;5;108"
        case bad = "1;38;5;167"
        case faint = "2"
        case found = "1"
    }

    let isPlain: Bool

    init(plain: Bool) {
        isPlain = plain || isatty(STDOUT_FILENO) == 0 || getenv("NO_COLOR") != nil
    }

    func line(_ text: String = "") {
        clearProgress()
        write(text + "\n")
    }

    func title(_ text: String) {
        line()
        line(styled(text, .title))
    }

    /// The lines of code an app would have.
    func code(_ lines: String) {
        for text in lines.split(separator: "\n", omittingEmptySubsequences: false) {
            line("    " + styled(String(text), .code))
        }
    }

    /// Something that came out as it should.
    func good(_ text: String) {
        line("  " + styled("✓", .good) + " " + text)
    }

    /// Something that did not.
    func bad(_ text: String) {
        line("  " + styled("✗ " + text, .bad))
    }

    func detail(_ text: String) {
        line("    " + styled(text, .faint))
    }

    /// A figure that moves while something is under way; nothing where nobody looks.
    func progress(_ text: String) {
        guard !isPlain else { return }
        write("\r\u{1B}[K  " + styled("· " + text, .faint))
    }

    /// Waits for Return, or until the task is cancelled.
    func pause() {
        line("(Return to go on)")
        var byte: UInt8 = 0
        while !Task.isCancelled {
            var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            guard poll(&input, 1, 100) != 0 else { continue }
            guard read(STDIN_FILENO, &byte, 1) == 1, byte != UInt8(ascii: "\n") else { return }
        }
    }

    private func clearProgress() {
        if !isPlain { write("\r\u{1B}[K") }
    }

    func styled(_ text: String, _ style: Style) -> String {
        isPlain ? text : "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
    }

    /// Past the buffers of the C library: what is said before the process ends is said.
    private func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
