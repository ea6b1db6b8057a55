#pragma once
#include <zlib.h>

// inflateInit2 is a macro, and Swift imports no macro with arguments. 16 asks for the gzip format.
static inline int podget_inflate_init_gzip(z_stream *stream) { return inflateInit2(stream, MAX_WBITS + 16); }
