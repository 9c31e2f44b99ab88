/// How a program is made to find a private authority among those of the system: URLSession on Linux knows no other way.
///
/// It runs in a mount namespace of its own, in which another file stands in the place of the system's bundle.
struct PrivateMount: Sendable {
    private let unshare: [String]

    /// Finds a way; `nil` if this user has none.
    init?() {
        for way in [["unshare", "-m"], ["unshare", "-r", "-m"]] {
            let words = way + Self.mounting("/dev/null", then: ["true"])
            if (try? Command.run(words, seconds: 10)) != nil {
                unshare = way
                return
            }
        }
        return nil
    }

    /// The command that runs `command` with `bundle` in the place of the system's.
    func command(_ command: [String], bundle: String) -> [String] {
        unshare + Self.mounting(bundle, then: command)
    }

    private static func mounting(_ bundle: String, then command: [String]) -> [String] {
        let script = #"mount --bind "$1" "$2" && shift 2 && exec "$@""#
        return ["sh", "-c", script, "sh", bundle, Certificate.systemBundle] + command
    }
}
