/// Hosts that are reached without a proxy.
enum ProxyException: Hashable {
    case everything
    /// A name, in lower case and in ASCII, and all names below it.
    case names(String)
    /// The addresses whose first bits are these.
    case network(IPAddress, bits: Int)

    /// Reads `*`, a name with or without a dot before it, an address, or an address and a number of bits.
    init?(_ text: String) {
        if text == "*" {
            self = .everything
            return
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if let address = IPAddress(parts[0].trimmingBrackets) {
            let length = address.bytes.count * 8
            guard parts.count <= 2, let bits = parts.count == 1 ? length : Int(parts[1]), 0...length ~= bits else {
                return nil
            }
            self = .network(address, bits: bits)
            return
        }
        let name = text.hasPrefix("*.") ? text.dropFirst(2) : text.hasPrefix(".") ? text.dropFirst() : text[...]
        guard let host = try? HostPort(String(name), of: ""), host.port == nil else { return nil }
        self = .names(host.host.lowercased().droppingRootDot)
    }

    /// Whether a host, as an ``Origin`` has it, is reached without the proxy.
    func covers(_ host: String) -> Bool {
        switch self {
        case .everything: return true
        case .names(let name):
            let host = host.droppingRootDot
            return host == name || host.hasSuffix(".\(name)")
        case .network(let network, let bits):
            guard let address = IPAddress(host[...].trimmingBrackets), address.isIPv4 == network.isIPv4 else {
                return false
            }
            return zip(address.bytes, network.bytes).enumerated().allSatisfy { place, pair in
                let left = min(8, max(0, bits - place * 8))
                return (pair.0 ^ pair.1) >> (8 - left) == 0
            }
        }
    }
}

extension String {
    fileprivate var droppingRootDot: String { hasSuffix(".") ? String(dropLast()) : self }
}

extension Substring {
    fileprivate var trimmingBrackets: Substring { hasPrefix("[") && hasSuffix("]") ? dropFirst().dropLast() : self }
}
