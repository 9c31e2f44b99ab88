/// One header field, as it is sent or as it came.
package struct HeaderField: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// Whether only a proxy that reads the request may see it: `Proxy-Authorization` (RFC 9110, section 11.7.2).
    private var isForProxy: Bool {
        // Next to no name is as long.
        name.utf8.count == 19 && name.lowercased() == "proxy-authorization"
    }

    /// The fields that a server may see.
    static func withoutThoseForProxies(_ fields: [HeaderField]) -> [HeaderField] {
        fields.contains(where: \.isForProxy) ? fields.filter { !$0.isForProxy } : fields
    }
}
