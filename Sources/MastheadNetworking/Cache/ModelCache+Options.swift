extension ModelCache {
    /// How much a cache may take, and whom it tells of problems.
    ///
    /// ```swift
    /// var options = ModelCache.Options()
    /// options.diskLimit = 1 << 30
    /// options.isEncrypted = true
    /// options.onProblem = { report("\($0)") }
    /// ```
    public struct Options: Sendable {
        /// What the values in memory may cost, in bytes of their payloads; 16 MiB by default.
        ///
        /// What is not written to disk yet does not count, and never goes.
        public var memoryLimit = 16 << 20

        /// How many bytes of payload each file may hold; 256 MiB by default.
        ///
        /// What was used least recently goes first.
        public var diskLimit = 256 << 20

        /// Whether what is kept for a session is encrypted on disk (AES-256-GCM); `false` by default.
        ///
        /// The key lies with the session's credentials, in the session's ``TokenStore``. Keys, tags, fields and payloads
        /// are sealed; how many there are, how big, and when they were kept can be seen. What belongs to no session has no
        /// key, and is not encrypted.
        ///
        /// What is not encrypted holds no secret of the calls: URLs are digests there, the fields of an answer that hold a
        /// secret (``NetworkingConfiguration/secretHeaders``, ``RequestLogger/secretParameters``) are not kept, and neither
        /// is a redirect to a URL with one. The app's own keys, tags and values are as they are.
        public var isEncrypted = false

        /// Told of what went wrong while nobody waited for it; called from any thread, and must not block it.
        public var onProblem: (@Sendable (CacheProblem) -> Void)?

        /// Where dates come from.
        public var time: any TimeSource = SystemTime()

        /// Told when a transaction is begun, and when its statements are done; tests kill the process in between.
        package var whenInTransaction: (@Sendable (_ isOpen: Bool) -> Void)?

        /// Makes the default options.
        public init() {}
    }
}
