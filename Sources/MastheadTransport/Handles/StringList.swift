import CMastheadCurl

/// A list of strings for libcurl, freed with this object.
final class StringList {
    private(set) var first: UnsafeMutablePointer<curl_slist>?

    deinit {
        curl_slist_free_all(first)
    }

    func append(_ string: String) throws(TransportError) {
        guard let grown = string.withCString({ curl_slist_append(first, $0) }) else {
            throw .setup("curl_slist_append")
        }
        first = grown
    }
}
