// Preloaded into a program, it refuses what the program writes below a folder beyond a number of bytes, as a disk quota
// does. Not every kernel has quotas, and root is above them.
//
// QUOTA_FOLDER and QUOTA_BYTES say where and how much; what is deleted is not given back.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long written;

static int is_over(int file, size_t count) {
    const char *folder = getenv("QUOTA_FOLDER"), *limit = getenv("QUOTA_BYTES");
    if (!folder || !limit) return 0;
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(link, path, sizeof path);
    if (length < (ssize_t)strlen(folder) || strncmp(path, folder, strlen(folder)) != 0) return 0;
    if (atomic_fetch_add(&written, (long)count) + (long)count <= atol(limit)) return 0;
    errno = EDQUOT;
    return 1;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

ssize_t write(int file, const void *bytes, size_t count) {
    return is_over(file, count) ? -1 : NEXT(write)(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t place) {
    return is_over(file, count) ? -1 : NEXT(pwrite)(file, bytes, count, place);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t place) {
    return is_over(file, count) ? -1 : NEXT(pwrite64)(file, bytes, count, place);
}
