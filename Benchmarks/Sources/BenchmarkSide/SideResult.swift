/// What one side measured in one process: the one line it prints.
public struct SideResult: Codable, Sendable {
    /// How many requests were measured.
    public var requests: Int

    /// How long they took together, in seconds.
    public var seconds: Double

    /// The bytes of their bodies.
    public var bytes: Int

    /// The median time of a request, in microseconds.
    public var p50: Double

    /// The time that 99 of 100 requests stay within, in microseconds.
    public var p99: Double

    /// User and system time that they cost this process, in seconds.
    public var cpuSeconds: Double

    /// How often the kernel switched away from this process's threads meanwhile.
    public var switches: Int

    /// The most memory the process ever held, in MiB.
    public var rssMiB: Double

    /// How many connections to the server it had open at the end.
    public var connections: Int?

    /// The protocol that the server saw, such as `HTTP/1.1`; `nil` if the side didn't look.
    public var version: String?

    /// What a call of a repository takes over an executor that answers from memory, in microseconds; `nil` if not asked.
    public var pipelineMicroseconds: Double?

    /// The bytes that the process gave to the system to write meanwhile.
    public var writtenBytes: Int?

    /// By how much the most memory ever held grew from before the work, in MiB; `nil` if the side didn't look.
    public var grownMiB: Double?

    /// How many transactions were committed meanwhile; `nil` if the side didn't look.
    public var commits: Int?

    /// What encoding or decoding one payload takes by itself, in microseconds; `nil` if the side didn't measure it.
    public var codingMicroseconds: Double?
}
