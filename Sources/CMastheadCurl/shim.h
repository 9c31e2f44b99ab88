#include <curl/curl.h>

// libcurl's setopt and getinfo are variadic, which Swift can't call: one typed shim for each kind of argument.

static inline CURLcode masthead_curl_easy_setopt_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode masthead_curl_easy_setopt_offset(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode masthead_curl_easy_setopt_string(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode masthead_curl_easy_setopt_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode masthead_curl_easy_setopt_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode masthead_curl_easy_setopt_data_callback(CURL *handle, CURLoption option,
                                                               size_t (*value)(char *, size_t, size_t, void *)) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode masthead_curl_easy_setopt_prereq_callback(CURL *handle, CURLoption option,
                                                                 int (*value)(void *, char *, char *, int, int)) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode masthead_curl_easy_setopt_socket_callback(CURL *handle, CURLoption option,
                                                                 curl_socket_t (*value)(void *, curlsocktype,
                                                                                        struct curl_sockaddr *)) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode masthead_curl_easy_setopt_socket_option_callback(CURL *handle, CURLoption option,
                                                                        int (*value)(void *, curl_socket_t,
                                                                                     curlsocktype)) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode masthead_curl_easy_setopt_seek_callback(CURL *handle, CURLoption option,
                                                               int (*value)(void *, curl_off_t, int)) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode masthead_curl_easy_setopt_debug_callback(CURL *handle, CURLoption option,
                                                                int (*value)(CURL *, curl_infotype, char *, size_t,
                                                                             void *)) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode masthead_curl_easy_setopt_tls_callback(CURL *handle, CURLoption option,
                                                              curl_ssl_ctx_callback value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode masthead_curl_easy_setopt_blob(CURL *handle, CURLoption option, struct curl_blob *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode masthead_curl_easy_getinfo_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode masthead_curl_easy_getinfo_socket(CURL *handle, CURLINFO info, curl_socket_t *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode masthead_curl_easy_getinfo_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode masthead_curl_easy_getinfo_pointer(CURL *handle, CURLINFO info, char **value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode masthead_curl_easy_getinfo_tls(CURL *handle, CURLINFO info,
                                                      struct curl_tlssessioninfo **value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLMcode masthead_curl_multi_setopt_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLSHcode masthead_curl_share_setopt_share(CURLSH *share, curl_lock_data kind) {
    return curl_share_setopt(share, CURLSHOPT_SHARE, kind);
}

// The socket whose bytes, and nothing else, the transfers wait for; -1 if they wait for more or for nothing. Sets of
// descriptors are macros, which Swift can't call; a socket beyond their size is in none, and then the answer is -1.
static inline int masthead_curl_multi_only_socket(CURLM *multi) {
    fd_set reading, writing, failing;
    int highest = -1, found = -1;
    FD_ZERO(&reading);
    FD_ZERO(&writing);
    FD_ZERO(&failing);
    if (curl_multi_fdset(multi, &reading, &writing, &failing, &highest) != CURLM_OK) return -1;
    for (int socket = 0; socket <= highest; socket++) {
        if (FD_ISSET(socket, &writing)) return -1;
        if (!FD_ISSET(socket, &reading)) continue;
        if (found >= 0) return -1;
        found = socket;
    }
    return found;
}

// Waits until something has come on a socket that masthead_curl_multi_only_socket has found, or the time has passed:
// libcurl itself counts in milliseconds.
static inline int masthead_curl_await_bytes(int socket, long microseconds) {
    fd_set reading;
    struct timeval time = {.tv_sec = microseconds / 1000000, .tv_usec = microseconds % 1000000};
    FD_ZERO(&reading);
    FD_SET(socket, &reading);
    return select(socket + 1, &reading, NULL, NULL, &time) > 0;
}

// The result stands in a union, which Swift imports without a safe way to read it.
static inline CURLcode masthead_curl_message_result(const CURLMsg *message) {
    return message->data.result;
}
