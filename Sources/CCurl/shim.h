#pragma once
#include <curl/curl.h>

// curl_easy_setopt is variadic, and Swift imports no variadic function; one typed function per argument type.
static inline CURLcode podget_setopt_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

// As above, for 64-bit sizes.
static inline CURLcode podget_setopt_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

// As above, for texts, which libcurl copies; NULL takes the option back.
static inline CURLcode podget_setopt_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

// As above, for header lists, which the caller keeps alive.
static inline CURLcode podget_setopt_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

// As above, for the addresses handed to callbacks and for the share handle.
static inline CURLcode podget_setopt_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

// As above, for the two callbacks with this signature: body and header.
static inline CURLcode podget_setopt_callback(CURL *easy, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(easy, option, value);
}

// curl_easy_getinfo is variadic too.
static inline CURLcode podget_getinfo_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

// As above, for 64-bit numbers.
static inline CURLcode podget_getinfo_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

// As above, for texts, which libcurl keeps.
static inline CURLcode podget_getinfo_string(CURL *easy, CURLINFO info, char **value) {
    return curl_easy_getinfo(easy, info, value);
}

// curl_multi_setopt is variadic too.
static inline CURLMcode podget_multi_setopt_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

// curl_share_setopt is variadic too.
static inline CURLSHcode podget_share_setopt_long(CURLSH *share, CURLSHoption option, long value) {
    return curl_share_setopt(share, option, value);
}

// The result is a member of a union, which Swift imports under no stable name.
static inline CURLcode podget_message_result(const CURLMsg *message) {
    return message->data.result;
}

// The C library declares it under _GNU_SOURCE only, which Swift's import of the C library does not set.
extern int renameat2(int oldFolder, const char *oldPath, int newFolder, const char *newPath, unsigned int flags);

// RENAME_NOREPLACE of <linux/fs.h>, hidden for the same reason.
static inline int podget_rename_without_replacing(const char *oldPath, const char *newPath) {
    const int currentFolder = -100;  // AT_FDCWD
    return renameat2(currentFolder, oldPath, currentFolder, newPath, 1);
}

// SEEK_DATA and SEEK_HOLE of <unistd.h>, hidden for the same reason.
enum { podget_seek_data = 3, podget_seek_hole = 4 };

// Hidden for the same reason.
extern int syncfs(int descriptor);
extern int sync_file_range(int descriptor, long offset, long count, unsigned int flags);

// Begins to write a part of a file to the disk (SYNC_FILE_RANGE_WRITE); a count of 0 is all from the offset on.
static inline int podget_start_write_back(int descriptor, long offset, long count) {
    return sync_file_range(descriptor, offset, count, 2);
}
