// Makes one call of the system or of the C library fail: preloaded into a program by scripts/dev/faults/run.
//
// RECTO_WORKER_FAULT_FILE   a file of zeros, as long as `struct shared`, in which call sites are listed
// RECTO_WORKER_FAULT        FUNCTION:SITE:KIND: the first call from the site fails instead, in whichever process; KIND is
//                           an error number, or `short` for a result that is shorter than asked for
//
// The variables apply to the program that is named in RECTO_WORKER_FAULT_PROGRAM. A call site is a hash of the addresses
// that the call returns to, each relative to the beginning of its file.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { most_sites = 1 << 14, most_ranges = 128, depth = 12 };

static struct { uintptr_t start, end; uint32_t name; } ranges[most_ranges];
static int range_count;
// In a file that all processes of a program map: a process in a sandbox has no other way to write.
static struct shared {
  _Atomic uint64_t has_failed;
  struct { _Atomic uint64_t key; uint64_t site; char name[16]; } sites[most_sites];
} *shared;
static int is_listing;
static char wanted_name[32];
static uint64_t wanted_site;
static int wanted_error;
static int is_short;
static int is_on;
static __thread int is_inside;

static uint32_t hash_of(const char *text) {
  uint32_t hash = 2166136261u;
  while (*text) hash = (hash ^ (uint8_t)*text++) * 16777619u;
  return hash;
}

static int add_range(struct dl_phdr_info *library, size_t size, void *context) {
  const char *slash = strrchr(library->dlpi_name, '/');
  for (int index = 0; index < library->dlpi_phnum; index++) {
    const ElfW(Phdr) *part = &library->dlpi_phdr[index];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X) || range_count == most_ranges) continue;
    ranges[range_count].start = library->dlpi_addr + part->p_vaddr;
    ranges[range_count].end = ranges[range_count].start + part->p_memsz;
    ranges[range_count].name = hash_of(slash ? slash : "");
    range_count++;
  }
  return 0;
}

static uint64_t site_of(void) {
  void *frames[depth];
  int count = backtrace(frames, depth);
  uint64_t hash = 1469598103934665603u;
  // The first frames are of this file.
  for (int index = 2; index < count; index++) {
    uintptr_t address = (uintptr_t)frames[index];
    uint64_t place = 0;
    for (int range = 0; range < range_count; range++) {
      if (address < ranges[range].start || address >= ranges[range].end) continue;
      place = ((uint64_t)ranges[range].name << 32) ^ (address - ranges[range].start);
      break;
    }
    hash = (hash ^ place) * 1099511628211u;
  }
  return hash ? hash : 1;
}

// Whether this call is the one that fails.
static int fails(const char *name) {
  if (!is_on || is_inside) return 0;
  if (!is_listing && (atomic_load(&shared->has_failed) || strcmp(name, wanted_name))) return 0;
  is_inside = 1;
  int saved = errno;
  uint64_t site = site_of();
  int result = 0;
  if (is_listing) {
    uint64_t key = site ^ ((uint64_t)hash_of(name) << 32);
    for (uint64_t slot = key % most_sites, tries = 0; tries < most_sites; slot = (slot + 1) % most_sites, tries++) {
      uint64_t none = 0;
      if (atomic_compare_exchange_strong(&shared->sites[slot].key, &none, key)) {
        shared->sites[slot].site = site;
        strncpy(shared->sites[slot].name, name, sizeof shared->sites[slot].name - 1);
        break;
      }
      if (none == key) break;
    }
  } else if (site == wanted_site) {
    result = !atomic_exchange(&shared->has_failed, 1);
  }
  errno = saved;
  is_inside = 0;
  return result;
}

__attribute__((constructor)) static void start(void) {
  const char *program = getenv("RECTO_WORKER_FAULT_PROGRAM");
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (!program || length < 0) return;
  path[length] = 0;
  const char *name = strrchr(path, '/');
  if (strcmp(name ? name + 1 : path, program)) return;
  is_inside = 1;
  void *frame;
  backtrace(&frame, 1);
  dl_iterate_phdr(add_range, 0);
  const char *path_of_shared = getenv("RECTO_WORKER_FAULT_FILE"), *fault = getenv("RECTO_WORKER_FAULT");
  char kind[16] = "";
  unsigned long long site = 0;
  int file = path_of_shared ? (int)syscall(SYS_openat, AT_FDCWD, path_of_shared, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  shared = (void *)syscall(SYS_mmap, 0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  syscall(SYS_close, file);
  if (shared == MAP_FAILED) return;
  is_listing = !fault;
  if (fault && sscanf(fault, "%31[^:]:%llx:%15s", wanted_name, &site, kind) == 3) {
    wanted_site = site;
    is_short = !strcmp(kind, "short");
    wanted_error = is_short ? 0 : atoi(kind);
  }
  is_on = 1;
  is_inside = 0;
}

#define REAL(result, name, ...)                                                                  \
  static result (*real)(__VA_ARGS__);                                                            \
  if (!real) real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name);

// Calls that return -1, or part of a count.
#define COUNTED(name, parameters, types, arguments, shorter)                                     \
  ssize_t name parameters {                                                                      \
    REAL(ssize_t, #name, types)                                                                  \
    if (fails(#name)) {                                                                          \
      if (!is_short) { errno = wanted_error; return -1; }                                        \
      shorter;                                                                                   \
    }                                                                                            \
    return real arguments;                                                                       \
  }
#define TYPES(...) __VA_ARGS__

COUNTED(read, (int file, void *bytes, size_t count), TYPES(int, void *, size_t), (file, bytes, count),
        if (count > 1) count = count / 2)
COUNTED(write, (int file, const void *bytes, size_t count), TYPES(int, const void *, size_t), (file, bytes, count),
        if (count > 1) count = count / 2)
COUNTED(pread, (int file, void *bytes, size_t count, off_t offset), TYPES(int, void *, size_t, off_t),
        (file, bytes, count, offset), if (count > 1) count = count / 2)
COUNTED(pwrite, (int file, const void *bytes, size_t count, off_t offset), TYPES(int, const void *, size_t, off_t),
        (file, bytes, count, offset), if (count > 1) count = count / 2)
COUNTED(send, (int socket, const void *bytes, size_t count, int flags), TYPES(int, const void *, size_t, int),
        (socket, bytes, count, flags), if (count > 1) count = count / 2)
COUNTED(recv, (int socket, void *bytes, size_t count, int flags), TYPES(int, void *, size_t, int),
        (socket, bytes, count, flags), if (count > 1) count = count / 2)

// Calls that return -1.
#define FAILING(name, parameters, types, arguments)                                              \
  int name parameters {                                                                          \
    REAL(int, #name, types)                                                                      \
    if (fails(#name)) { errno = wanted_error; return -1; }                                       \
    return real arguments;                                                                       \
  }

FAILING(socket, (int domain, int type, int protocol), TYPES(int, int, int), (domain, type, protocol))
FAILING(connect, (int socket, __CONST_SOCKADDR_ARG address, socklen_t length), TYPES(int, __CONST_SOCKADDR_ARG, socklen_t),
        (socket, address, length))
FAILING(fsync, (int file), TYPES(int), (file))
FAILING(rename, (const char *old, const char *new), TYPES(const char *, const char *), (old, new))
FAILING(renameat, (int a, const char *old, int b, const char *new), TYPES(int, const char *, int, const char *),
        (a, old, b, new))
FAILING(renameat2, (int a, const char *old, int b, const char *new, unsigned flags),
        TYPES(int, const char *, int, const char *, unsigned), (a, old, b, new, flags))
FAILING(linkat, (int a, const char *old, int b, const char *new, int flags),
        TYPES(int, const char *, int, const char *, int), (a, old, b, new, flags))
FAILING(link, (const char *old, const char *new), TYPES(const char *, const char *), (old, new))
FAILING(unlink, (const char *path), TYPES(const char *), (path))
FAILING(mkdir, (const char *path, mode_t mode), TYPES(const char *, mode_t), (path, mode))
FAILING(ftruncate, (int file, off_t length), TYPES(int, off_t), (file, length))
FAILING(pipe2, (int ends[2], int flags), TYPES(int *, int), (ends, flags))
FAILING(socketpair, (int domain, int type, int protocol, int ends[2]), TYPES(int, int, int, int *),
        (domain, type, protocol, ends))
FAILING(flock, (int file, int operation), TYPES(int, int), (file, operation))

int open(const char *path, int flags, ...) {
  REAL(int, "open", const char *, int, ...)
  va_list list;
  va_start(list, flags);
  mode_t mode = va_arg(list, mode_t);
  va_end(list);
  if (fails("open")) { errno = wanted_error; return -1; }
  return real(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  REAL(int, "openat", int, const char *, int, ...)
  va_list list;
  va_start(list, flags);
  mode_t mode = va_arg(list, mode_t);
  va_end(list);
  if (fails("openat")) { errno = wanted_error; return -1; }
  return real(folder, path, flags, mode);
}

void *mmap(void *address, size_t length, int protection, int flags, int file, off_t offset) {
  if (fails("mmap")) {
    errno = wanted_error;
    return MAP_FAILED;
  }
  return (void *)syscall(SYS_mmap, address, length, protection, flags, file, offset);
}

// The way in which programs start programs; `fork` with its caller's threads is not used.
int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const arguments[], char *const variables[]) {
  REAL(int, "posix_spawn", pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
       char *const *, char *const *)
  if (fails("posix_spawn")) return wanted_error;
  return real(process, path, actions, attributes, arguments, variables);
}

// A worker has functions of its own in place of `malloc` and `realloc`, which call the library's by these names.
void *__libc_malloc(size_t count) {
  static void *(*real)(size_t);
  if (!real) real = (void *(*)(size_t))dlsym(RTLD_NEXT, "__libc_malloc");
  if (fails("malloc")) {
    errno = ENOMEM;
    return 0;
  }
  return real(count);
}
void *malloc(size_t count) { return __libc_malloc(count); }

void *__libc_realloc(void *memory, size_t count) {
  static void *(*real)(void *, size_t);
  if (!real) real = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "__libc_realloc");
  if (fails("realloc")) {
    errno = ENOMEM;
    return 0;
  }
  return real(memory, count);
}
void *realloc(void *memory, size_t count) { return __libc_realloc(memory, count); }

int posix_memalign(void **memory, size_t alignment, size_t count) {
  REAL(int, "posix_memalign", void **, size_t, size_t)
  if (fails("posix_memalign")) return ENOMEM;
  return real(memory, alignment, count);
}
