package import FoundationEssentials

/// One whole answer: its length, chunk end and coding are checked before anyone sees it.
package struct TransportResponse: Sendable {
    package var status: Int
    package var headers: [HeaderField]
    package var body: Data
    package var version: Version

    package enum Version: Sendable, Hashable {
        case http1
        case http2
    }
}
