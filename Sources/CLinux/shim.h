#pragma once

// Calls of the GNU C library and of Linux that its Swift module leaves out because they are hidden
// behind _GNU_SOURCE or take variable arguments. Declared as in the manual page named.

#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
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

/// prctl(2): neither this process nor what it starts can gain privileges.
static inline int recto_drop_privileges(void) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

/// prctl(2): processes whose parent ends become children of this one, which is their ancestor.
static inline int recto_adopt_orphans(void) {
  return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

/// mallinfo2(3): bytes that are allocated at this moment, in all arenas and in mappings of their own.
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

/// sendmsg(2): one byte, with descriptors; neither blocks nor raises SIGPIPE.
static inline ssize_t recto_send_descriptors(int socket, const int *descriptors, int count) {
  char byte = 0;
  struct iovec part = {.iov_base = &byte, .iov_len = 1};
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

/// recvmsg(2): one byte with exactly `count` descriptors, which are closed on exec. Returns the number
/// of bytes, 0 when the other end is closed, and -1 with EBADMSG for another number of descriptors.
static inline ssize_t recto_receive_descriptors(int socket, int *descriptors, int count) {
  char byte;
  struct iovec part = {.iov_base = &byte, .iov_len = 1};
  char control[CMSG_SPACE(sizeof(int) * RECTO_MOST_DESCRIPTORS)] = {0};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control};
  message.msg_controllen = sizeof(control);
  ssize_t bytes = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (bytes <= 0) return bytes;
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

/// Where the C library keeps the number of the calling thread, as it has told the kernel; null when the
/// kernel cannot say (prctl(2), PR_GET_TID_ADDRESS).
static inline void *recto_thread_number(void) {
  int *address = 0;
  if (prctl(PR_GET_TID_ADDRESS, &address, 0, 0, 0) != 0) return 0;
  return address;
}

/// clone(2) as fork(2) uses it, but for a child of the parent of this process. For a process with one
/// thread only, which therefore holds no lock that the child would find taken. `thread_number` is that
/// of `recto_thread_number`: the C library's fork renews what is kept there, a call of the system alone
/// does not. Not renewed is the list of robust mutexes, which nothing uses.
static inline int recto_fork_sibling(void *thread_number) {
  // Sibling, renewed number, number cleared at the end. The signal at the end is this process's own.
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
