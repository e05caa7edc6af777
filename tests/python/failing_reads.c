/* Lets one read of one file fail, as a bad disk does: the FAIL_NUMBER-th of the file whose path ends in FAIL_NAME.
   At the end, says on standard error how many there were. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long count;

static int fails(int file) {
    const char *name = getenv("FAIL_NAME"), *number = getenv("FAIL_NUMBER");
    if (!name || !number)
        return 0;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path);
    ssize_t suffix = (ssize_t)strlen(name);
    if (length < suffix || memcmp(path + length - suffix, name, suffix) != 0)
        return 0;
    return atomic_fetch_add(&count, 1) == atol(number);
}

__attribute__((destructor)) static void tell(void) {
    fprintf(stderr, "%ld reads\n", atomic_load(&count));
}

ssize_t read(int file, void *buffer, size_t bytes) {
    if (fails(file)) {
        errno = EIO;
        return -1;
    }
    ssize_t (*real)(int, void *, size_t) = dlsym(RTLD_NEXT, "read");
    return real(file, buffer, bytes);
}

ssize_t pread64(int file, void *buffer, size_t bytes, off_t offset) {
    if (fails(file)) {
        errno = EIO;
        return -1;
    }
    ssize_t (*real)(int, void *, size_t, off_t) = dlsym(RTLD_NEXT, "pread64");
    return real(file, buffer, bytes, offset);
}
