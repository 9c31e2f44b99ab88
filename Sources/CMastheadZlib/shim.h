#include <zlib.h>

// inflateInit2 is a macro over a function that wants the library's version and the structure's size.
static inline int masthead_zlib_inflate_init(z_stream *stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}
