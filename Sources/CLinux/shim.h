#pragma once

// Calls of the GNU C library and of Linux that its Swift module leaves out because they are hidden
// behind _GNU_SOURCE or take variable arguments. Declared as in the manual page named.

#include <malloc.h>
#include <spawn.h>
#include <sys/prctl.h>

/// pipe2(2)
extern int pipe2(int ends[2], int flags);

/// posix_spawn_file_actions_addclosefrom_np(3), since glibc 2.34
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/// posix_spawn_file_actions_addchdir_np(3), since glibc 2.29
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);

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
