#pragma once
#include <spawn.h>

// The C library declares these under _GNU_SOURCE only, which Swift's import of the C library does not set.

// Closes what programs would inherit that others opened without O_CLOEXEC, as libcurl does its sockets.
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

// A file in memory, without a name and without a folder that could be full or missing.
int memfd_create(const char *name, unsigned int flags);

// MFD_CLOEXEC of <linux/memfd.h>.
static const unsigned int podget_memfd_cloexec = 1;
