import CLibFuzzer
import Glibc

/// Hands the target that `MASTHEAD_FUZZ_TARGET` names to libFuzzer, with libFuzzer's own arguments; with `--list`, prints
/// the targets and the longest input of each.
///
/// The target stands in the environment because libFuzzer starts this program anew for some of its modes.
@main
enum MastheadFuzz {
    private static let chosen = FuzzTarget.all.first { target in
        getenv("MASTHEAD_FUZZ_TARGET").map { String(cString: $0) } == target.name
    }

    static func main() {
        if CommandLine.arguments.dropFirst().first == "--list" {
            for target in FuzzTarget.all { print(target.name, target.maximumLength) }
            return
        }
        guard chosen != nil else {
            print("MASTHEAD_FUZZ_TARGET names no target:", FuzzTarget.all.map(\.name).joined(separator: ", "))
            exit(64)
        }
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(
            LLVMFuzzerRunDriver(&count, &arguments) { bytes, count in
                MastheadFuzz.chosen?.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
                return 0
            }
        )
    }
}
