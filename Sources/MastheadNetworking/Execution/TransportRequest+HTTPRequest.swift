import FoundationEssentials
import MastheadTransport

extension TransportRequest {
    /// Makes the transport's request.
    ///
    /// - Returns: The request, and what writes its body if that is a stream: to be held as long as the exchange lasts.
    static func make(
        of request: HTTPRequest,
        _ configuration: NetworkingConfiguration
    ) throws(RepositoryError) -> (request: TransportRequest, writer: BodyWriter?) {
        var outgoing = TransportRequest(
            method: request.method.rawValue,
            url: try request.url.wireText,
            headers: request.headers.lines
        )
        outgoing.limits = TransportLimits(configuration)
        outgoing.limits.totalTimeout = request.timeout
        outgoing.priority = TransportPriority(request.priority)
        if let report = request.metricsReport {
            outgoing.onMetrics = { report.deliver($0) }
        }
        guard let body = request.body else { return (outgoing, nil) }
        if let report = body.onProgress {
            let total = body.length
            outgoing.onSent = { report(TransferProgress(completed: $0, total: total)) }
        }
        switch body.source {
        case .data(let data): outgoing.body = .data(data)
        case .parts(let parts): outgoing.body = .parts(parts)
        case .stream(let stream):
            let (pipe, writer) = try stream.begin()
            outgoing.body = .stream(pipe, length: stream.length)
            return (outgoing, writer)
        }
        return (outgoing, nil)
    }
}

extension TransportLimits {
    fileprivate init(_ configuration: NetworkingConfiguration) {
        self.init()
        connectTimeout = configuration.connectionTimeout
        idleTimeout = configuration.timeout
        queueTimeout = configuration.queueTimeout
        maximumBodySize = configuration.maximumBodySize
        places.connections = configuration.maximumConnectionsPerHost
        places.streams = configuration.maximumStreamsPerHost
    }
}

extension TransportPriority {
    fileprivate init(_ priority: RequestPriority) {
        self =
            switch priority {
            case .low: .low
            case .normal: .normal
            case .high: .high
            }
    }
}

extension ExchangeMetrics {
    init(_ metrics: TransportMetrics) {
        self.init()
        httpVersion = metrics.version.map { $0 == .http2 ? "HTTP/2" : "HTTP/1.1" }
        isConnectionReused = metrics.isReused
        isSecondAttempt = metrics.isSecondAttempt
        queue = metrics.queue
        nameLookup = metrics.nameLookup
        connect = metrics.connect
        tls = metrics.tls
        firstByte = metrics.firstByte
        total = metrics.total
        bytesSent = metrics.sentBytes
        bytesReceived = metrics.receivedBytes
        localAddress = metrics.localAddress?.description
        remoteAddress = metrics.remoteAddress?.description
    }
}

extension URL {
    /// The URL with its host in ASCII; Foundation keeps a name beyond it percent-encoded.
    fileprivate var wireText: String {
        get throws(RepositoryError) {
            var text = absoluteString
            // Nearly always there is nothing to change, and this is on every request's way.
            let isEncoded = text.withUTF8 { $0.contains(UInt8(ascii: "%")) }
            guard isEncoded, let start = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return text }
            let host = text.utf8[start...].dropFirst(3).prefix { $0 != UInt8(ascii: "/") }
            guard host.contains(UInt8(ascii: "%")) else { return text }
            return try URLReference(text).withASCIIHost().text
        }
    }
}
