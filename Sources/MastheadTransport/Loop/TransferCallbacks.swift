import CMastheadCurl

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

// What libcurl calls, on the thread that has the transfers: each finds its exchange and asks it.

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
}

let receiveHeader: EasyHandle.DataCallback = { bytes, size, count, context in
    guard let bytes, let transfer = transfer(context) else { return 0 }
    let total = size * count
    return bytes.withMemoryRebound(to: UInt8.self, capacity: total) { base in
        transfer.receive(header: UnsafeBufferPointer(start: base, count: total)) ? total : 0
    }
}

let receiveBody: EasyHandle.DataCallback = { bytes, size, count, context in
    guard let bytes, let transfer = transfer(context) else { return 0 }
    let total = size * count
    return switch transfer.receive(body: UnsafeRawBufferPointer(start: bytes, count: total)) {
    case .taken: total
    case .later: Int(CURL_WRITEFUNC_PAUSE)
    // More than any piece: tells libcurl that the bytes were not taken, even when there were none.
    case .refused: total + 1
    }
}

let sendBody: EasyHandle.DataCallback = { buffer, size, count, context in
    guard let buffer, let transfer = transfer(context) else { return Int(CURL_READFUNC_ABORT) }
    return transfer.send(into: UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
}

/// Nothing is rewound: a body that libcurl would send again is refused when it asks for leave.
let agreeToRewind: EasyHandle.SeekCallback = { _, _, _ in CURL_SEEKFUNC_OK }

let hearRemark: EasyHandle.DebugCallback = { _, kind, bytes, count, context in
    guard kind == CURLINFO_TEXT, let bytes, let transfer = transfer(context) else { return 0 }
    let text = UnsafeRawBufferPointer(start: bytes, count: count)
    if let remark = StreamRemark(String(decoding: text, as: UTF8.self)) { transfer.hear(remark) }
    return 0
}

let approveSending: EasyHandle.PrereqCallback = { context, address, localAddress, remotePort, localPort in
    guard let transfer = transfer(context) else { return CURL_PREREQFUNC_ABORT }
    func end(_ text: UnsafePointer<CChar>?, _ port: Int32) -> SocketAddress {
        SocketAddress(text.map { String(cString: $0) } ?? "", port: port)
    }
    let isPermitted = transfer.permitSending(
        on: KeptSockets.Ends(local: end(localAddress, localPort), remote: end(address, remotePort)),
        at: address
    )
    return isPermitted ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

/// Makes a socket for an address that a connection may be made to.
let openPrivateSocket: EasyHandle.SocketCallback = { context, _, target in
    guard let target, let transfer = transfer(context) else { return CURL_SOCKET_BAD }
    // The address itself is longer than the type it has in the description of it.
    let start = UnsafeRawPointer(target) + (MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0)
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(target.pointee.addrlen))
    guard transfer.mayConnect(to: SocketAddress(bytes)) else { return CURL_SOCKET_BAD }
    return socket(target.pointee.family, target.pointee.socktype, target.pointee.`protocol`)
}
