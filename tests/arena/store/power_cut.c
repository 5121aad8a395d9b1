/* A disk that may lose its power at any time, for one process.
 *
 * Loaded with LD_PRELOAD. Writes to files below POWER_CUT_ROOT go through as usual, so that the
 * process sees what it wrote, and are noted in POWER_CUT_TRACE: offset and bytes of each write,
 * each change of a length, each fsync. A test replays a prefix of the trace and keeps, of what was
 * written, only what was synced (and any part of the rest): that is what a disk may hold after the
 * power failed.
 *
 * Records: kind (1 byte), length of the name (4), name, offset (8), length of the data (8), data.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int trace = -2;

static ssize_t plain_write(int fd, const void *data, size_t size) {
    static ssize_t (*next)(int, const void *, size_t);
    if (!next) next = dlsym(RTLD_NEXT, "write");
    return next(fd, data, size);
}

/* Return whether a file is watched, and its name. */
static int watched(int fd, char *name, size_t size) {
    char link[64];
    const char *root = getenv("POWER_CUT_ROOT");
    if (!root) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, name, size - 1);
    if (length <= 0) return 0;
    name[length] = 0;
    size_t n = strlen(root);
    if (strncmp(name, root, n) != 0) return 0;
    return strstr(name, "-shm") == NULL; /* the index of the journal is made anew */
}

static void note(char kind, const char *name, uint64_t offset, const void *data, uint64_t size) {
    if (trace == -2) {
        const char *path = getenv("POWER_CUT_TRACE");
        trace = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    }
    if (trace < 0) return;
    uint32_t length = strlen(name);
    plain_write(trace, &kind, 1);
    plain_write(trace, &length, 4);
    plain_write(trace, name, length);
    plain_write(trace, &offset, 8);
    plain_write(trace, &size, 8);
    if (size) plain_write(trace, data, size);
}

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t offset) {
    static ssize_t (*next)(int, const void *, size_t, off64_t);
    char name[4096];
    if (!next) next = dlsym(RTLD_NEXT, "pwrite64");
    pthread_mutex_lock(&turn);
    ssize_t done = next(fd, data, size, offset);
    if (done > 0 && watched(fd, name, sizeof name)) note('w', name, offset, data, done);
    pthread_mutex_unlock(&turn);
    return done;
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) {
    return pwrite64(fd, data, size, offset);
}

ssize_t write(int fd, const void *data, size_t size) {
    char name[4096];
    off_t offset = lseek(fd, 0, SEEK_CUR);
    if (offset < 0 || !watched(fd, name, sizeof name)) return plain_write(fd, data, size);
    pthread_mutex_lock(&turn);
    ssize_t done = plain_write(fd, data, size);
    if (done > 0) note('w', name, offset, data, done);
    pthread_mutex_unlock(&turn);
    return done;
}

int ftruncate64(int fd, off64_t size) {
    static int (*next)(int, off64_t);
    char name[4096];
    if (!next) next = dlsym(RTLD_NEXT, "ftruncate64");
    pthread_mutex_lock(&turn);
    int failed = next(fd, size);
    if (!failed && watched(fd, name, sizeof name)) note('t', name, size, NULL, 0);
    pthread_mutex_unlock(&turn);
    return failed;
}

int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

static int synced(int fd, const char *symbol) {
    int (*next)(int) = dlsym(RTLD_NEXT, symbol);
    char name[4096];
    int failed = next(fd);
    pthread_mutex_lock(&turn);
    if (!failed && watched(fd, name, sizeof name)) note('s', name, 0, NULL, 0);
    pthread_mutex_unlock(&turn);
    return failed;
}

int fsync(int fd) { return synced(fd, "fsync"); }
int fdatasync(int fd) { return synced(fd, "fdatasync"); }
