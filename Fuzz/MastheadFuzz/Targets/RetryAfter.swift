import FoundationEssentials
import MastheadNetworking

/// The `Retry-After` field.
func checkRetryAfter(_ bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    let now = Date(timeIntervalSince1970: 1_767_225_600)
    let longest = Duration.seconds(Int(Int32.max))
    let delay = RetryAfter.delay(of: text, at: now)

    claim(delay.map { (.zero...longest).contains($0) } ?? true, "a wait is bounded, and never negative")
    claim(RetryAfter.delay(of: "\t \(text) \t", at: now) == delay, "the space around it means nothing")
    if !bytes.isEmpty, bytes.allSatisfy({ (0x30...0x39).contains($0) }) {
        let seconds = bytes.reduce(0) { min($0 * 10 + Int($1 - 0x30), Int(Int32.max)) }
        claim(delay == .seconds(seconds), "digits are seconds")
    } else if let delay, delay > .zero, delay < longest, let date = Date(httpDate: text, now: now) {
        // `Duration` is made of a `Double` here, and that has no more than 53 bits.
        claim(abs(delay / .seconds(1) - date.timeIntervalSince(now)) < 0.001, "a date is the end of the wait")
    }
}
