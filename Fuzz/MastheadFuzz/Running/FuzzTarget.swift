/// One reader of hostile bytes, and what must hold for any of them.
struct FuzzTarget: Sendable {
    /// The name script/soak and the folders of Fuzz/Corpus know it by.
    let name: String

    /// The longest input: what is longer finds nothing that a shorter one does not.
    let maximumLength: Int

    /// Reads the bytes and ends the process if something does not hold.
    let run: @Sendable ([UInt8]) -> Void

    static let all = [
        FuzzTarget(name: "head", maximumLength: 2048, run: checkHead),
        FuzzTarget(name: "dates", maximumLength: 64, run: checkDates),
        FuzzTarget(name: "retry-after", maximumLength: 64, run: checkRetryAfter),
        FuzzTarget(name: "codings", maximumLength: 4096, run: checkCodings),
        FuzzTarget(name: "json", maximumLength: 4096, run: checkJSON),
        FuzzTarget(name: "decoder", maximumLength: 2048, run: checkDecoder),
        FuzzTarget(name: "text", maximumLength: 1024, run: checkText),
        FuzzTarget(name: "redirects", maximumLength: 512, run: checkRedirects),
        FuzzTarget(name: "configuration", maximumLength: 2048, run: checkConfiguration),
        FuzzTarget(name: "lines", maximumLength: 1024, run: checkLines),
        FuzzTarget(name: "events", maximumLength: 1024, run: checkEvents),
        FuzzTarget(name: "ranges", maximumLength: 1024, run: checkRanges),
        FuzzTarget(name: "tokens", maximumLength: 256, run: checkTokens),
        FuzzTarget(name: "transport", maximumLength: 4096, run: checkTransport),
    ]
}
