import CMastheadCurl

/// A URL as libcurl takes it apart, freed with this object.
final class TargetURL {
    let text: String
    let pointer: UnsafeMutableRawPointer

    /// Takes a URL apart; `nil` if it is none.
    init?(_ text: String) {
        guard let url = curl_url() else { return nil }
        // What the handles' own options ask for (`setStandingOptions`) holds only for text that libcurl reads itself.
        let flags = UInt32(CURLU_PATH_AS_IS | CURLU_DISALLOW_USER)
        guard text.withCString({ curl_url_set(url, CURLUPART_URL, $0, flags) }) == CURLUE_OK else {
            curl_url_cleanup(url)
            return nil
        }
        self.text = text
        pointer = UnsafeMutableRawPointer(url)
    }

    deinit {
        curl_url_cleanup(OpaquePointer(pointer))
    }
}
