#include <zlib.h>

// inflateInit2 is a macro over a function that wants the library's version and the structure's size.
static inline int masthead_zlib_inflate_init(z_stream *stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}

// So is deflateInit2.
static inline int masthead_zlib_deflate_init(z_stream *stream, int level, int window_bits) {
    return deflateInit2(stream, level, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY);
}
