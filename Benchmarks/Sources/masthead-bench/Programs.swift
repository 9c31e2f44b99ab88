import BenchmarkSide
import Foundation

/// The programs of the sides, which lie beside the driver's.
enum Programs {
    /// Where they are.
    static func folder() throws(BenchError) -> String {
        do {
            let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return URL(fileURLWithPath: own).deletingLastPathComponent().path
        } catch {
            throw BenchError("/proc/self/exe: \(error)")
        }
    }

    /// Runs one to its end; returns what it measured.
    static func result(of command: [String], environment: [String: String] = [:]) throws(BenchError) -> SideResult {
        let output = try Command.run(command, environment: environment, seconds: 120)
        guard let result = try? JSONDecoder().decode(SideResult.self, from: output) else {
            throw BenchError("\(command[0]): printed \(String(decoding: output.prefix(200), as: UTF8.self))")
        }
        return result
    }
}
