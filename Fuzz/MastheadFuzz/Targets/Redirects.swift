import CMastheadCurl
import FoundationEssentials
import MastheadNetworking

/// A redirect: the first line is the URL that was asked, the rest what its answer's `Location` says.
func checkRedirects(_ bytes: [UInt8]) {
    let (asked, rest) = firstLine(of: bytes)
    let location = String(decoding: rest, as: UTF8.self)
    for text in [asked, location] {
        let reference = URLReference(text)
        claim(reference.text.utf8.count == text.utf8.count, "a reference keeps all it was made of")
        claim(URLReference(reference.text) == reference, "a reference is read back")
    }
    guard let url = URL(string: asked), let source = try? Origin(URLReference(url.absoluteString)) else { return }
    var configuration = NetworkingConfiguration(domainURL: "a.example")
    configuration.secretHeaders = ["x-api-key"]
    let secrets = ["Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key"]
    let headers = HTTPHeaders((secrets + ["Accept"]).map { HTTPHeaders.Field(name: $0, value: "v") })
    for status in [301, 303, 307] {
        var policy = RedirectPolicy(configuration)
        let request = HTTPRequest(method: .post, url: url, headers: headers, body: .data(Data("b".utf8)))
        let answer = HTTPResponse(status: status, headers: ["Location": location], url: url)
        guard let next = try? policy.next(after: answer, to: request) else { continue }

        let text = next.url.absoluteString
        claim(text.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "a target is visible ASCII")
        guard let target = try? Origin(URLReference(text)) else { return claim(false, "a target has an origin") }
        claim(target.scheme == "https" || source.scheme == "http", "https leads to https")
        checkPeer(of: text, target)
        if target != source {
            claim(!secrets.contains { next.headers[$0] != nil }, "no secret reaches another origin")
        } else {
            claim(secrets.allSatisfy { next.headers[$0] != nil }, "the same origin gets all")
        }
        claim(next.headers["Accept"] != nil, "what is no secret stays")
        claim((next.method == .get) == (status != 307), "the method is what the status makes of it")
        claim((next.body == nil) == (next.method == .get), "a method goes with its body")
    }
}

/// That libcurl asks the origin that was decided on, whatever else stands in the URL.
private func checkPeer(of text: String, _ origin: Origin) {
    let bare = "\(origin.scheme)://\(origin.host):\(origin.port)/"
    guard let expected = peer(of: bare) else { return }
    guard let found = peer(of: text) else { return }
    claim(found == expected, "libcurl asks the same server: \(found) for \(expected)")
}

/// Scheme, host and port as libcurl finds them; `nil` if it refuses the URL.
private func peer(of text: String) -> [String]? {
    guard let url = curl_url() else { return nil }
    defer { curl_url_cleanup(url) }
    guard curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_PATH_AS_IS)) == CURLUE_OK else { return nil }
    let parts = [CURLUPART_SCHEME, CURLUPART_HOST, CURLUPART_PORT].compactMap { part -> String? in
        var value: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &value, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK, let value else { return nil }
        defer { curl_free(value) }
        return String(cString: value).lowercased()
    }
    return parts.count == 3 ? parts : nil
}
