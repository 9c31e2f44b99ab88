import CMastheadCurl

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

let approveSending: EasyHandle.PrereqCallback = { context, address, _, remotePort, localPort in
    let ports = KeptSockets.Ports(local: localPort, remote: remotePort)
    guard let transfer = transfer(context), transfer.permitSending(on: ports, at: address) else {
        return CURL_PREREQFUNC_ABORT
    }
    return CURL_PREREQFUNC_OK
}
