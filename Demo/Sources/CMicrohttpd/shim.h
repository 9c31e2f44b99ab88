#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>

// MHD_start_daemon and MHD_get_daemon_info are variadic.

// Starts a daemon with a thread of its own on a free port of 127.0.0.1.
static inline struct MHD_Daemon *_Nullable masthead_microhttpd_start_daemon_loopback(
    MHD_AccessHandlerCallback _Nonnull handler, void *_Nonnull context,
    size_t (*_Nonnull unescape)(void *_Nullable, struct MHD_Connection *_Nullable, char *_Nullable),
    void *_Nullable (*_Nonnull log)(void *_Nullable, const char *_Nonnull, struct MHD_Connection *_Nonnull),
    MHD_RequestCompletedCallback _Nonnull completed) {
    struct sockaddr_in address;
    memset(&address, 0, sizeof address);
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO, 0, NULL, NULL, handler, context,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
        MHD_OPTION_UNESCAPE_CALLBACK, unescape, NULL,
        MHD_OPTION_URI_LOG_CALLBACK, log, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, completed, NULL,
        MHD_OPTION_CONNECTION_TIMEOUT, 60u,
        MHD_OPTION_END);
}

static inline uint16_t masthead_microhttpd_get_daemon_info_port(struct MHD_Daemon *_Nonnull daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    return info ? info->port : 0;
}
