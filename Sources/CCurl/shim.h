#pragma once
#include <curl/curl.h>

// curl_easy_setopt is variadic, and Swift imports no variadic function.
static inline CURLcode podget_setopt_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
