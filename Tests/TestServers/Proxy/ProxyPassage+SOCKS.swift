import MastheadTesting

extension ProxyPassage {
    /// RFC 1928: version, methods; the choice; RFC 1929 if need be; the request; the reply.
    func serveSOCKS5() {
        guard let hello = stream.readExactly(2), hello[0] == 5, let methods = stream.readExactly(Int(hello[1])) else {
            return
        }
        let wanted: UInt8 = password == nil ? 0 : 2
        guard methods.contains(wanted) else {
            note(.init(method: "socks5", target: "", fields: [], password: nil, isAdmitted: false))
            _ = stream.write([5, 0xFF])
            return finish()
        }
        guard stream.write([5, wanted]) else { return }
        var given: String?
        if wanted == 2 {
            guard stream.readExactly(1) == [1], let user = readText(), let secret = readText() else { return }
            given = "\(user):\(secret)"
            guard given == password else {
                note(.init(method: "socks5", target: "", fields: [], password: given, isAdmitted: false))
                _ = stream.write([1, 1])
                return finish()
            }
            guard stream.write([1, 0]) else { return }
        }
        guard let request = stream.readExactly(4), request[1] == 1, let host = readHost(request[3]),
            let port = readPort()
        else { return }
        note(.init(method: "socks5", target: "\(host):\(port)", fields: [], password: given, isAdmitted: true))
        answer(granted: [5, 0, 0, 1, 0, 0, 0, 0, 0, 0], refused: [5, 2, 0, 1, 0, 0, 0, 0, 0, 0])
    }

    /// Version, command, port, address, user; an address 0.0.0.x with x not 0 is followed by a name (4A).
    func serveSOCKS4() {
        guard let request = stream.readExactly(2), request == [4, 1], let port = readPort(),
            let address = stream.readExactly(4), let user = readZeroTerminated()
        else { return }
        let isName = address.dropLast() == [0, 0, 0] && address[3] != 0
        guard let host = isName ? readZeroTerminated() : address.map(String.init).joined(separator: ".") else { return }
        let isAdmitted = password == nil || password == "\(user):"
        let given = user.isEmpty ? nil : "\(user):"
        note(.init(method: "socks4", target: "\(host):\(port)", fields: [], password: given, isAdmitted: isAdmitted))
        guard isAdmitted else {
            _ = stream.write([0, 93, 0, 0, 0, 0, 0, 0])
            return finish()
        }
        answer(granted: [0, 90, 0, 0, 0, 0, 0, 0], refused: [0, 91, 0, 0, 0, 0, 0, 0])
    }

    private func answer(granted: [UInt8], refused: [UInt8]) {
        switch conduct {
        case .silence: keepSilent()
        case .hangUp: finish()
        case .refuse:
            _ = stream.write(refused)
            finish()
        case .letThrough:
            guard let upstream = connectToTarget() else {
                _ = stream.write(refused)
                return finish()
            }
            guard stream.write(granted) else { return }
            relay(upstream)
        }
    }

    private func readHost(_ kind: UInt8) -> String? {
        switch kind {
        case 1: stream.readExactly(4)?.map(String.init).joined(separator: ".")
        case 3: readText()
        case 4:
            stream.readExactly(16).map { bytes in
                let groups = stride(from: 0, to: 16, by: 2).map {
                    String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16)
                }
                return "[\(groups.joined(separator: ":"))]"
            }
        default: nil
        }
    }

    private func readPort() -> Int? {
        stream.readExactly(2).map { Int($0[0]) << 8 | Int($0[1]) }
    }

    /// A text with its length in one byte before it.
    private func readText() -> String? {
        stream.readExactly(1).flatMap { stream.readExactly(Int($0[0])) }.map { String(decoding: $0, as: UTF8.self) }
    }

    private func readZeroTerminated() -> String? {
        var bytes: [UInt8] = []
        while bytes.count < 256, let byte = stream.readExactly(1) {
            if byte == [0] { return String(decoding: bytes, as: UTF8.self) }
            bytes += byte
        }
        return nil
    }
}
