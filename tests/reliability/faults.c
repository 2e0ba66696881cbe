/* Makes one system call on files below FAULT_DIR fail: the FAULT_AT-th, with FAULT_ERRNO.
 *
 * Loaded with LD_PRELOAD. Every intercepted call whose path lies below FAULT_DIR, or whose descriptor was
 * opened there, is counted; the one with the number FAULT_AT fails without reaching the kernel, and its
 * name is written to FAULT_LOG. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static int counted, ours[4096];

static int below(const char *path) {
    const char *folder = getenv("FAULT_DIR");
    return folder && path && strncmp(path, folder, strlen(folder)) == 0;
}

static int mine(int descriptor) { return descriptor >= 0 && descriptor < 4096 && ours[descriptor]; }

static int fails(const char *name) {
    const char *at = getenv("FAULT_AT");
    if (!at || ++counted != atoi(at)) return 0;
    FILE *log = fopen(getenv("FAULT_LOG"), "w");
    if (log) { fprintf(log, "%s\n", name); fclose(log); }
    errno = atoi(getenv("FAULT_ERRNO"));
    return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int note(int descriptor) {
    if (descriptor >= 0 && descriptor < 4096) ours[descriptor] = 1;
    return descriptor;
}

#define OPEN(name)                                                              \
    int name(const char *path, int flags, ...) {                                \
        va_list list; va_start(list, flags); mode_t mode = va_arg(list, mode_t); va_end(list); \
        if (!below(path)) return REAL(name)(path, flags, mode);                 \
        if (fails(#name)) return -1;                                            \
        return note(REAL(name)(path, flags, mode));                             \
    }
OPEN(open)
OPEN(open64)

#define ON_DESCRIPTOR(result, name, parameters, ...)                            \
    result name parameters {                                                    \
        if (mine(descriptor) && fails(#name)) return -1;                        \
        return REAL(name)(__VA_ARGS__);                                         \
    }
ON_DESCRIPTOR(ssize_t, read, (int descriptor, void *data, size_t size), descriptor, data, size)
ON_DESCRIPTOR(ssize_t, write, (int descriptor, const void *data, size_t size), descriptor, data, size)
ON_DESCRIPTOR(int, fsync, (int descriptor), descriptor)
ON_DESCRIPTOR(int, flock, (int descriptor, int how), descriptor, how)
ON_DESCRIPTOR(int, fstat, (int descriptor, struct stat *status), descriptor, status)

int close(int descriptor) {
    int counts = mine(descriptor);
    if (descriptor >= 0 && descriptor < 4096) ours[descriptor] = 0;
    int result = REAL(close)(descriptor); /* also when it is to fail, as the kernel does */
    return counts && fails("close") ? -1 : result;
}

#define ON_PATH(result, name, parameters, ...)                                  \
    result name parameters {                                                    \
        if (below(path) && fails(#name)) return -1;                             \
        return REAL(name)(__VA_ARGS__);                                         \
    }
ON_PATH(int, chmod, (const char *path, mode_t mode), path, mode)
ON_PATH(int, unlink, (const char *path), path)
ON_PATH(int, rename, (const char *path, const char *to), path, to)
ON_PATH(int, access, (const char *path, int how), path, how)
ON_PATH(int, stat, (const char *path, struct stat *status), path, status)
ON_PATH(int, lstat, (const char *path, struct stat *status), path, status)
ON_PATH(ssize_t, readlink, (const char *path, char *to, size_t size), path, to, size)
ON_PATH(ssize_t, listxattr, (const char *path, char *names, size_t size), path, names, size)
ON_PATH(ssize_t, getxattr, (const char *path, const char *name, void *data, size_t size), path, name, data, size)

int setxattr(const char *path, const char *name, const void *data, size_t size, int flags) {
    if (below(path) && fails("setxattr")) return -1;
    return REAL(setxattr)(path, name, data, size, flags);
}

DIR *opendir(const char *path) {
    if (below(path) && fails("opendir")) return NULL;
    return REAL(opendir)(path);
}
