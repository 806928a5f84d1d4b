#pragma once

// Calls of the GNU C library and Linux that are missing in the Swift module because they need
// _GNU_SOURCE or have variable arguments. Declared as in the manual pages.

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/// pipe2(2)
extern int pipe2(int ends[2], int flags);

/// posix_spawn_file_actions_addclosefrom_np(3), since glibc 2.34
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/// posix_spawn_file_actions_addchdir_np(3), since glibc 2.29
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);

/// memmem(3)
extern void *memmem(const void *bytes, size_t count, const void *pattern, size_t pattern_count);

/// fcntl(2), F_SETPIPE_SZ
static inline int recto_set_pipe_size(int descriptor, int size) {
  extern int fcntl(int, int, ...);
  return fcntl(descriptor, 1031, size);
}

/// prctl(2): neither this process nor its children can gain privileges.
static inline int recto_drop_privileges(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/// prctl(2): other processes of the user can neither trace this one nor read its memory, and it leaves no
/// core dump.
static inline int recto_hide_memory(void) {
  return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

/// prctl(2): the reverse.
static inline int recto_show_memory(void) { return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0); }

/// prctl(2): kills this process when the thread that started it ends. The setting ends with the calling thread, unless
/// that is the main thread.
static inline int recto_end_with_parent(void) {
  return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

/// capset(2): gives up all capabilities of this thread.
static inline int recto_drop_capabilities(void) {
  // `_LINUX_CAPABILITY_VERSION_3`: two sets of three words.
  struct { uint32_t version; int process; } header = {0x20080522, 0};
  uint32_t none[6] = {0};
  return (int)syscall(SYS_capset, &header, none);
}

/// Overwrites 256 KiB of stack below the caller.
__attribute__((noinline)) static void recto_wipe_stack(void) {
  extern void explicit_bzero(void *, size_t);
  char bytes[1 << 18];
  explicit_bzero(bytes, sizeof bytes);
}

/// unshare(2): no shared memory of others, with `network` a network without interfaces, with `user` a user without rights
/// outside, and with `mounts` separate mounts.
static inline int recto_enter_namespaces(int network, int user, int mounts) {
  // CLONE_NEWIPC, CLONE_NEWNET, CLONE_NEWUSER, CLONE_NEWNS.
  long kinds = 0x08000000L | (network ? 0x40000000L : 0L) | (user ? 0x10000000L : 0L) | (mounts ? 0x00020000L : 0L);
  return (int)syscall(SYS_unshare, kinds);
}

/// mount(2)
static inline int recto_mount(const char *source, const char *target, const char *kind, unsigned long flags) {
  return (int)syscall(SYS_mount, source, target, kind, flags, (void *)0);
}

/// umount2(2), MNT_DETACH
static inline int recto_leave_mount(const char *target) { return (int)syscall(SYS_umount2, target, 2); }

/// pivot_root(2)
static inline int recto_pivot_root(const char *root, const char *old) {
  return (int)syscall(SYS_pivot_root, root, old);
}

/// The first fields of `struct dl_phdr_info`, dl_iterate_phdr(3).
struct recto_library {
  uintptr_t address;
  const char *path;
};

/// dl_iterate_phdr(3): calls a function for each loaded library.
static inline void recto_each_library(int (*body)(const struct recto_library *, size_t, void *), void *context) {
  extern int dl_iterate_phdr(int (*)(const struct recto_library *, size_t, void *), void *);
  dl_iterate_phdr(body, context);
}

/// landlock_create_ruleset(2): the version of Landlock's interface, or -1.
static inline int recto_landlock_version(void) {
  return (int)syscall(SYS_landlock_create_ruleset, (void *)0, (size_t)0, 1U);
}

/// `struct landlock_ruleset_attr` of linux/landlock.h, as of version 6; Debian 12 has an older one.
struct recto_landlock_rights {
  uint64_t files;
  uint64_t network;
  uint64_t scopes;
};

/// landlock_create_ruleset(2): a descriptor of rules that deny these rights.
static inline int recto_landlock_create(const struct recto_landlock_rights *denied) {
  // A kernel with an older version accepts a larger structure if the unknown fields are zero.
  return (int)syscall(SYS_landlock_create_ruleset, denied, sizeof *denied, 0U);
}

/// open(2): a file as a location, without reading or writing.
static inline int recto_open_place(const char *path) {
  extern int open(const char *, int, ...);
  // O_PATH, O_CLOEXEC
  return open(path, 010000000 | 02000000);
}

/// landlock_add_rule(2): grants rights to a file, or to everything below a directory.
static inline int recto_landlock_grant(int rules, uint64_t rights, int file) {
  struct { uint64_t rights; int32_t file; } __attribute__((packed)) rule = {rights, file};
  return (int)syscall(SYS_landlock_add_rule, rules, 1, &rule, 0U);
}

/// landlock_restrict_self(2): applies the rules to this thread and its descendants.
static inline int recto_landlock_enter(int rules) {
  return (int)syscall(SYS_landlock_restrict_self, rules, 0U);
}

/// prctl(2): descendants whose parent ends become children of this process.
static inline int recto_adopt_orphans(void) {
  return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

/// mallinfo2(3): bytes currently allocated, in all arenas and in separate mappings.
static inline long recto_heap_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return (long)(info.uordblks + info.hblkhd);
}

/// memfd_create(2)
extern int memfd_create(const char *name, unsigned int flags);

/// close_range(2), since glibc 2.34
extern int close_range(unsigned int first, unsigned int last, int flags);

/// The most descriptors in one message.
#define RECTO_MOST_DESCRIPTORS 4

/// sendmsg(2): bytes, with descriptors that come with the first of them; neither blocks nor raises SIGPIPE.
static inline ssize_t recto_send_descriptors(int socket, const void *bytes, size_t length,
                                             const int *descriptors, int count) {
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
  char control[CMSG_SPACE(sizeof(int) * RECTO_MOST_DESCRIPTORS)] = {0};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control};
  if (count < 1 || count > RECTO_MOST_DESCRIPTORS) {
    errno = EINVAL;
    return -1;
  }
  message.msg_controllen = CMSG_SPACE(sizeof(int) * count);
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int) * count);
  memcpy(CMSG_DATA(header), descriptors, sizeof(int) * count);
  return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/// recvmsg(2): up to `length` bytes with exactly `count` descriptors, which are closed on exec; bytes without
/// descriptors leave `descriptors` as they are if `optional`. Returns the number of bytes, 0 when the other end is
/// closed, and -1 with EBADMSG for another number of descriptors.
static inline ssize_t recto_receive_descriptors(int socket, void *buffer, size_t length,
                                                int *descriptors, int count, int optional) {
  struct iovec part = {.iov_base = buffer, .iov_len = length};
  char control[CMSG_SPACE(sizeof(int) * RECTO_MOST_DESCRIPTORS)] = {0};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control};
  message.msg_controllen = sizeof(control);
  ssize_t bytes = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (bytes <= 0 || (optional && message.msg_controllen == 0)) return bytes;
  int received = 0;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
    int there = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
    for (; received < there; received++) {
      int descriptor;
      memcpy(&descriptor, CMSG_DATA(header) + received * sizeof(int), sizeof(int));
      if (received < count) descriptors[received] = descriptor;
      else close(descriptor);
    }
  }
  if (received == count) return bytes;
  for (int index = 0; index < received && index < count; index++) close(descriptors[index]);
  errno = EBADMSG;
  return -1;
}

/// The address of the C library's thread id of the calling thread, as known to the kernel; null if unknown (prctl(2),
/// PR_GET_TID_ADDRESS).
static inline void *recto_thread_number(void) {
  int *address = 0;
  if (prctl(PR_GET_TID_ADDRESS, &address, 0, 0, 0) != 0) return 0;
  return address;
}

/// clone(2) as in fork(2), but the child's parent is that of this process. Only for a process with a single thread, so
/// that the child inherits no held lock. `thread_number` is that of `recto_thread_number`: the C library's fork updates
/// the thread id there, the system call alone does not. The list of robust mutexes, which nothing uses, is not updated.
static inline int recto_fork_sibling(void *thread_number) {
  // CLONE_PARENT, CLONE_CHILD_SETTID, CLONE_CHILD_CLEARTID. The exit signal is that of this process.
  const long flags = 0x00008000 | 0x01000000 | 0x00200000 | SIGCHLD;
#if defined(__x86_64__)
  return (int)syscall(SYS_clone, flags, 0L, 0L, thread_number, 0L);
#elif defined(__aarch64__)
  return (int)syscall(SYS_clone, flags, 0L, 0L, 0L, thread_number);
#else
  errno = ENOSYS;
  return -1;
#endif
}
