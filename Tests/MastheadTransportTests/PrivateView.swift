import FoundationEssentials
import Glibc

/// A view of the machine that one thread, and those it starts from then on, have for themselves.
enum PrivateView: Int32 {
    /// The file systems: what is mounted here is mounted nowhere else.
    case mounts = 0x0002_0000
    /// The network: no interface but a loopback that is down.
    case network = 0x4000_0000

    struct Failure: Error {
        let operation: String
        let code: Int32
    }

    /// Whether this process may have one: the system keeps it to those that may administer it.
    static let isAllowed: Bool = {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("CapEff:") }
        let capabilities = line.flatMap { UInt64($0.dropFirst(7).drop { $0 == "\t" || $0 == " " }, radix: 16) } ?? 0
        let administration: UInt64 = 1 << 21
        return capabilities & administration != 0
    }()

    /// Gives it to this thread.
    static func enter(_ view: PrivateView) throws {
        // A GNU extension that the Glibc module leaves out.
        typealias Unshare = @convention(c) (Int32) -> Int32
        guard let symbol = dlsym(nil, "unshare"), unsafeBitCast(symbol, to: Unshare.self)(view.rawValue) == 0 else {
            throw Failure(operation: "unshare", code: errno)
        }
    }
}

extension PrivateView {
    /// Gives this thread file systems in which a file holds something else.
    static func enterMounts(with text: String, at path: String) throws {
        // This thread, or the one that started it, has them already.
        if (try? String(contentsOfFile: path, encoding: .utf8)) == text { return }
        try enter(.mounts)
        guard mount("none", "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0 else {
            throw Failure(operation: "mount /", code: errno)
        }
        let file = FileManager.default.temporaryDirectory.appending(path: "masthead-\(UUID().uuidString)")
        try Data(text.utf8).write(to: file)
        // What is mounted needs no name.
        defer { try? FileManager.default.removeItem(at: file) }
        guard mount(file.path, path, nil, UInt(MS_BIND), nil) == 0 else {
            throw Failure(operation: "mount \(path)", code: errno)
        }
    }

    /// Gives this thread a network of its own, in which the loopback interface has another address too.
    ///
    /// - Parameter address: One of IPv4, in the order of the network.
    /// - Throws: The call that failed.
    static func enterNetwork(with address: in_addr) throws {
        try enter(.network)
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        // Variadic, which Swift can't call.
        typealias Control = @convention(c) (Int32, UInt, UnsafeMutableRawPointer) -> Int32
        guard let symbol = dlsym(nil, "ioctl") else { throw Failure(operation: "ioctl", code: ENOSYS) }
        let control = unsafeBitCast(symbol, to: Control.self)
        func set(_ request: UInt, of name: String, _ fill: (UnsafeMutableRawBufferPointer) -> Void) throws {
            // A name of 16 bytes, then what is set (netdevice(7)).
            var bytes = [UInt8](repeating: 0, count: 40)
            bytes.replaceSubrange(0..<name.utf8.count, with: name.utf8)
            let result = bytes.withUnsafeMutableBytes { bytes in
                fill(UnsafeMutableRawBufferPointer(rebasing: bytes[16...]))
                return bytes.baseAddress.map { control(descriptor, request, $0) } ?? -1
            }
            guard result == 0 else { throw Failure(operation: "ioctl \(request)", code: errno) }
        }
        try set(0x8914, of: "lo") { $0.storeBytes(of: Int16(0x41), as: Int16.self) }
        var end = sockaddr_in()
        end.sin_family = sa_family_t(AF_INET)
        end.sin_addr = address
        try set(0x8916, of: "lo:1") { bytes in withUnsafeBytes(of: end) { bytes.copyMemory(from: $0) } }
    }
}
