/// Where bytes stop being JSON, and why; shows nothing of what they say.
package struct JSONSyntaxError: Error, Sendable, Hashable {
    /// The place, in bytes from the start; the count of the bytes if they end early.
    package let offset: Int

    /// What is wrong there.
    package let reason: String

    /// Makes an error.
    package init(offset: Int, reason: String) {
        self.offset = offset
        self.reason = reason
    }
}
