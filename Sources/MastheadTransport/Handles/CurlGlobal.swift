import CMastheadCurl

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// libcurl's own state in the process: set up once, before the first handle.
enum CurlGlobal {
    /// `nil` once libcurl is ready, or the reason why it is not.
    static let failure: String? = {
        // libcurl opens the TLS key log of `SSLKEYLOGFILE` while it is set up. An app's sessions are nobody's to read
        // because a variable stood in the environment, so it is hidden from that moment alone.
        let keyLog = getenv("SSLKEYLOGFILE").map { String(cString: $0) }
        if keyLog != nil { unsetenv("SSLKEYLOGFILE") }
        let code = curl_global_init(Int(CURL_GLOBAL_ALL))
        if let keyLog { setenv("SSLKEYLOGFILE", keyLog, 1) }
        guard code == CURLE_OK else { return "curl_global_init: " + String(cString: curl_easy_strerror(code)) }
        // Registered after OpenSSL's, so it runs before it: a loop that still runs then would use freed state.
        atexit { LoopRegistry.shared.stopAll() }
        return nil
    }()

    /// The version of libcurl that runs, as in `0x075801` for 7.88.1.
    static let version = curl_version_info(CURLVERSION_FIRST).map { $0.pointee.version_num } ?? 0
}
