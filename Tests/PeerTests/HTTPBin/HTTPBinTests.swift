import Testing

/// What goes through the repositories to a server that is none of ours, and back.
@Suite("httpbin", .needsHTTPBin, .httpbin, .timeLimit(.minutes(2)))
struct HTTPBinTests {}
