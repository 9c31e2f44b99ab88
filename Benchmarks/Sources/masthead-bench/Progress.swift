import Glibc

/// What the person at the terminal reads meanwhile, on standard error.
enum Progress {
    static func say(_ text: String) {
        var line = text + "\n"
        line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
