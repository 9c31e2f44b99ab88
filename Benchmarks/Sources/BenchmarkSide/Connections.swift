/// The connections of this machine, as the kernel lists them.
enum Connections {
    /// How many are established to a port.
    static func count(to port: UInt16) -> Int {
        // `sl local_address rem_address st …`, numbers in hex; state 01 is an established one.
        KernelFile.words(of: "/proc/self/net/tcp").count { row in
            row.count > 3 && row[3] == "01"
                && row[2].split(separator: ":").last.flatMap { UInt16($0, radix: 16) } == port
        }
    }
}
