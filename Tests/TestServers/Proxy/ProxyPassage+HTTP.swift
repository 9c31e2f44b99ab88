import FoundationEssentials
import MastheadTesting

extension ProxyPassage {
    /// Lets one request with an absolute target through, or opens a tunnel; asks again for a password.
    func serveHTTP() {
        while let head = readHead() {
            var lines = head.split(separator: "\r\n").map(String.init)
            guard let first = lines.first?.split(separator: " ").map(String.init), first.count == 3 else { return }
            lines.removeFirst()
            let given = Self.password(in: lines)
            let isAdmitted = password == nil || given == password
            note(.init(method: first[0], target: first[1], fields: lines, password: given, isAdmitted: isAdmitted))
            guard isAdmitted else {
                guard refuse(407, "Proxy-Authenticate: Basic realm=\"proxy\"\r\n") else { return }
                continue
            }
            switch conduct {
            case .refuse(let status):
                guard refuse(status) else { return }
            case .silence: return keepSilent()
            case .hangUp: return finish()
            case .letThrough: return letThrough(first, lines)
            }
        }
    }

    private func letThrough(_ first: [String], _ lines: [String]) {
        guard let upstream = connectToTarget() else {
            _ = refuse(502)
            return finish()
        }
        if first[0] == "CONNECT" {
            guard stream.write(Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)) else { return }
        } else {
            // The target's own form, and an end of the answer that needs no reading of it.
            let path = first[1].split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false).dropFirst(3)
            let own = lines.filter { line in
                !["proxy-", "connection:"].contains { line.lowercased().hasPrefix($0) }
            }
            let head = (["\(first[0]) /\(path.joined()) HTTP/1.1"] + own + ["Connection: close", "", ""])
            guard upstream.write(Array(head.joined(separator: "\r\n").utf8)) else { return }
        }
        relay(upstream)
    }

    /// The head of a request, byte by byte: what follows it is not for the proxy.
    private func readHead() -> String? {
        var head: [UInt8] = []
        while head.count < 64 << 10 {
            guard let byte = stream.readExactly(1) else { return nil }
            head += byte
            if head.suffix(4).elementsEqual("\r\n\r\n".utf8) { return String(decoding: head, as: UTF8.self) }
        }
        return nil
    }

    private func refuse(_ status: Int, _ fields: String = "") -> Bool {
        stream.write(Array("HTTP/1.1 \(status) Refused\r\n\(fields)Content-Length: 0\r\n\r\n".utf8))
    }

    private static func password(in lines: [String]) -> String? {
        let name = "proxy-authorization: basic "
        guard let line = lines.first(where: { $0.lowercased().hasPrefix(name) }) else { return nil }
        return Data(base64Encoded: String(line.dropFirst(name.count))).map { String(decoding: $0, as: UTF8.self) }
    }
}
