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
        let target = try configuration.wire?.target(of: request.url)
        let url = if let target { target.text } else { try request.url.wireText }
        var body: TransportBody?
        var writer: BodyWriter?
        switch request.body?.source {
        case nil: break
        case .data(let data): body = .data(data)
        case .parts(let parts): body = .parts(parts)
        case .stream(let stream):
            let pipe: BodyPipe
            (pipe, writer) = try stream.begin()
            body = .stream(pipe, length: stream.length)
        }
        var onSent: (@Sendable (Int) -> Void)?
        if let report = request.body?.onProgress {
            let total = request.body?.length
            onSent = { report(TransferProgress(completed: $0, total: total)) }
        }
        var onMetrics: (@Sendable (consuming TransportMetrics) -> Void)?
        if let report = request.metricsReport { onMetrics = { metrics in report.deliver(consume metrics) } }
        // All at once: a request that is changed after it was made is copied for that.
        let outgoing = TransportRequest(
            method: request.method.rawValue,
            url: url,
            origin: target?.origin,
            headers: request.headers.lines,
            body: body,
            priority: TransportPriority(request.priority),
            limits: TransportLimits(configuration, totalTimeout: request.timeout),
            onSent: onSent,
            onMetrics: onMetrics
        )
        return (outgoing, writer)
    }
}

extension TransportLimits {
    fileprivate init(_ configuration: NetworkingConfiguration, totalTimeout: Duration?) {
        self.init()
        self.totalTimeout = totalTimeout
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
    var wireText: String {
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
