#define _GNU_SOURCE
#include "probes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

// Each probe returns 0 if what it tries works. Calls of the system are made directly where the C library would do
// something else first.

static int failed(long result) { return result >= 0 ? 0 : errno ? errno : EINVAL; }

static int can_read(const char *path) {
  char byte;
  int file = open(path, O_RDONLY);
  if (file < 0) return errno;
  return failed(read(file, &byte, 1) == 1 ? 0 : -1);
}

static int can_read_of_parent(const char *name) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", getppid(), name);
  return can_read(path);
}

static int can_list(const char *path) {
  DIR *folder = opendir(path);
  return folder ? 0 : errno;
}

// Reading.
static int passwords(void) { return can_read("/etc/shadow"); }
static int users(void) { return can_read("/etc/passwd"); }
static int hosts(void) { return can_read("/etc/hosts"); }
static int root(void) { return can_list("/"); }
static int home(void) { return can_list(getenv("HOME") ? getenv("HOME") : "/root"); }
static int temporary(void) { return can_list("/tmp"); }
static int own_environment(void) { return can_read("/proc/self/environ"); }
static int own_memory(void) { return failed(open("/proc/self/mem", O_RDWR)); }
static int own_descriptors(void) { return can_list("/proc/self/fd"); }
static int processes(void) { return can_list("/proc"); }
static int arguments_of_parent(void) { return can_read_of_parent("cmdline"); }
static int environment_of_parent(void) { return can_read_of_parent("environ"); }
static int memory_of_parent(void) { return can_read_of_parent("mem"); }
static int descriptors_of_parent(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/fd", getppid());
  return can_list(path);
}
static int document_again(void) { return failed(open("/proc/self/fd/3", O_RDONLY)); }
static int kernel(void) { return can_read("/proc/kallsyms"); }
static int devices(void) { return can_list("/dev"); }
static int random_device(void) { return can_read("/dev/urandom"); }
static int secret(void) { return getenv("RECTO_TEST_SECRET") ? 0 : ENOENT; }

// Writing.
static int new_file(void) { return failed(open("/tmp/recto-probe", O_CREAT | O_WRONLY, 0600)); }
static int new_file_here(void) { return failed(open("recto-probe", O_CREAT | O_WRONLY, 0600)); }
static int unnamed_file(void) { return failed(open("/tmp", O_TMPFILE | O_RDWR, 0600)); }
static int old_creat(void) { return failed(syscall(SYS_openat, AT_FDCWD, "/tmp/recto-probe", O_CREAT | O_TRUNC, 0600)); }
static int open_font_to_write(void) { return failed(open("/etc/fonts/fonts.conf", O_RDWR)); }
static int write_document(void) { return failed(pwrite(3, "x", 1, 0)); }
static int cut_document(void) { return failed(ftruncate(3, 0)); }
static int map_document_to_write(void) {
  return mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0) == MAP_FAILED ? errno : 0;
}
static int write_document_in_place(void) { return failed(write(3, "x", 1)); }
static int make_view_of_document_writable(void) {
  void *view = mmap(0, 4096, PROT_READ, MAP_SHARED, 3, 0);
  if (view == MAP_FAILED) return errno;
  return failed(mprotect(view, 4096, PROT_READ | PROT_WRITE));
}
static int map_shared_memory_to_write(void) {
  void *memory = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? errno : 0;
}
static int make_directory(void) { return failed(mkdir("/tmp/recto-probe-directory", 0700)); }
static int make_link(void) { return failed(symlink("/", "/tmp/recto-probe-link")); }
static int make_pipe(void) { return failed(mkfifo("/tmp/recto-probe-pipe", 0600)); }
static int remove_file(void) { return failed(unlink("/etc/hostname")); }
static int rename_file(void) { return failed(rename("/etc/hostname", "/etc/hostname.old")); }
static int change_mode(void) { return failed(chmod("/etc/hostname", 0666)); }
static int change_mode_of_document(void) { return failed(fchmod(3, 0666)); }
static int change_owner(void) { return failed(chown("/etc/hostname", getuid(), getgid())); }
static int cut_file(void) { return failed(truncate("/etc/hostname", 0)); }
static int change_times(void) { return failed(utimensat(AT_FDCWD, "/etc/hostname", 0, 0)); }
static int change_attributes(void) { return failed(setxattr("/etc/hostname", "user.recto", "x", 1, 0)); }
static int memory_file(void) { return failed(memfd_create("probe", 0)); }

// Talking to others.
static int internet(void) { return failed(socket(AF_INET, SOCK_STREAM, 0)); }
static int internet6(void) { return failed(socket(AF_INET6, SOCK_DGRAM, 0)); }
static int local_socket(void) { return failed(socket(AF_UNIX, SOCK_STREAM, 0)); }
static int netlink(void) { return failed(socket(AF_NETLINK, SOCK_RAW, 0)); }
static int packets(void) { return failed(socket(AF_PACKET, SOCK_RAW, 0)); }
static int pair(void) {
  int ends[2];
  return failed(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
}
static int send_descriptor(void) {
  char byte = 0, control[CMSG_SPACE(sizeof(int))] = {0};
  struct iovec part = {&byte, 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  memcpy(CMSG_DATA(header), &(int){3}, sizeof(int));
  return failed(sendmsg(0, &message, 0));
}
static int shared_memory(void) { return failed(shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600)); }
static int message_queue(void) { return failed(msgget(IPC_PRIVATE, IPC_CREAT | 0600)); }
static int watch_files(void) { return failed(inotify_init()); }

// Other programs and processes.
static int run_program(void) { return failed(execl("/bin/true", "true", (char *)0)); }
static int run_descriptor(void) {
  char *none[] = {0};
  return failed(syscall(SYS_execveat, 3, "", none, none, AT_EMPTY_PATH));
}
static int start_process(void) {
  int process = fork();
  if (process == 0) _exit(0);
  return failed(process);
}
static int start_process_directly(void) {
  long process = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (process == 0) _exit(0);
  return failed(process);
}
static void *nothing(void *argument) { return argument; }
static int start_thread(void) {
  pthread_t thread;
  return pthread_create(&thread, 0, nothing, 0);
}
static int signal_parent(void) { return failed(kill(getppid(), 0)); }
static int signal_thread_of_parent(void) { return failed(syscall(SYS_tgkill, getppid(), getppid(), 0)); }
static int signal_all(void) { return failed(kill(-1, 0)); }
static int trace_parent(void) { return failed(ptrace(PTRACE_SEIZE, getppid(), 0, 0)); }
static int let_trace(void) { return failed(ptrace(PTRACE_TRACEME, 0, 0, 0)); }
static int copy_from_parent(void) {
  char byte;
  struct iovec own = {&byte, 1}, other = {(void *)0x400000, 1};
  return failed(process_vm_readv(getppid(), &own, 1, &other, 1, 0));
}
static int copy_to_parent(void) {
  char byte = 0;
  struct iovec own = {&byte, 1}, other = {(void *)0x400000, 1};
  return failed(process_vm_writev(getppid(), &own, 1, &other, 1, 0));
}
static int handle_of_parent(void) { return failed(syscall(434, getppid(), 0)); }
static int limit_parent(void) {
  struct rlimit none = {0, 0};
  return failed(prlimit(getppid(), RLIMIT_NOFILE, &none, 0));
}
static int slow_parent(void) { return failed(setpriority(PRIO_PROCESS, getppid(), 19)); }
static int show_memory(void) { return failed(prctl(PR_SET_DUMPABLE, 1)); }
static int leave_group(void) { return failed(setsid()); }

// Code that was not there.
static int writable_code(void) {
  void *memory = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? errno : 0;
}
static int code_in_memory(void) {
  void *memory = mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? errno : 0;
}
static int make_code(void) {
  void *memory = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return failed(mprotect(memory, 4096, PROT_READ | PROT_EXEC));
}
static int map_to_run(int file) {
  return mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) == MAP_FAILED ? errno : 0;
}
static int map_document_to_run(void) { return map_to_run(3); }
static int map_file_to_run(void) {
  int file = open("/etc/ld.so.cache", O_RDONLY);
  return file < 0 ? errno : map_to_run(file);
}
static int make_mapped_file_run(void) {
  int file = open("/etc/ld.so.cache", O_RDONLY);
  void *memory = mmap(0, 4096, PROT_READ, MAP_PRIVATE, file, 0);
  return memory == MAP_FAILED ? errno : failed(mprotect(memory, 4096, PROT_READ | PROT_EXEC));
}
static int other_instruction_set(void) {
#if defined(__x86_64__)
  // `open` of 32-bit Linux.
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory", "r8", "r9", "r10", "r11");
  return result >= 0 ? 0 : (int)-result;
#else
  return ENOSYS;
#endif
}

// The kernel.
static int new_user(void) { return failed(unshare(CLONE_NEWUSER)); }
static int new_mounts(void) { return failed(unshare(CLONE_NEWNS)); }
static int mount_something(void) { return failed(mount("none", "/tmp", "tmpfs", 0, 0)); }
static int change_root(void) { return failed(chroot("/tmp")); }
static int become_root(void) { return failed(setresuid(0, 0, 0)); }
static int bpf_program(void) {
  union bpf_attr attributes = {0};
  return failed(syscall(SYS_bpf, BPF_MAP_CREATE, &attributes, sizeof attributes));
}
static int counters(void) {
  struct perf_event_attr attributes = {.size = sizeof attributes};
  return failed(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0));
}
static int asynchronous_calls(void) {
  char parameters[120] = {0};
  return failed(syscall(425, 1, parameters));
}
static int page_faults(void) { return failed(syscall(SYS_userfaultfd, 1)); }
static int keys(void) { return failed(syscall(SYS_add_key, "user", "probe", "x", 1, -3)); }
static int open_by_handle(void) {
  struct file_handle handle = {0};
  return failed(syscall(SYS_open_by_handle_at, AT_FDCWD, &handle, O_RDONLY));
}
static int raise_limit(void) {
  struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  return failed(setrlimit(RLIMIT_FSIZE, &limit));
}
static int many_descriptors(void) {
  for (int count = 0; count < 1000; count++) {
    if (fcntl(3, F_DUPFD_CLOEXEC, 0) < 0) return errno;
  }
  return 0;
}

static const struct {
  const char *name;
  int (*try)(void);
} probes[] = {
    {"read the passwords of the machine", passwords},
    {"read the users of the machine", users},
    {"read the hosts of the machine", hosts},
    {"list the root directory", root},
    {"list the home directory", home},
    {"list the directory of temporary files", temporary},
    {"read its own environment in /proc", own_environment},
    {"open its own memory", own_memory},
    {"list its own descriptors", own_descriptors},
    {"list the processes", processes},
    {"read the arguments of its parent", arguments_of_parent},
    {"read the environment of its parent", environment_of_parent},
    {"read the memory of its parent", memory_of_parent},
    {"list the descriptors of its parent", descriptors_of_parent},
    {"open its document again", document_again},
    {"read the symbols of the kernel", kernel},
    {"list the devices", devices},
    {"read a device", random_device},
    {"read a variable of its parent", secret},
    {"create a file", new_file},
    {"create a file in the working directory", new_file_here},
    {"create a file without a name", unnamed_file},
    {"create a file that is only read", old_creat},
    {"open a file to write that it may read", open_font_to_write},
    {"write to its document", write_document},
    {"cut its document", cut_document},
    {"map its document to write", map_document_to_write},
    {"write to its document where it is", write_document_in_place},
    {"make a view of its document writable", make_view_of_document_writable},
    {"map shared memory to write", map_shared_memory_to_write},
    {"make a directory", make_directory},
    {"make a link", make_link},
    {"make a pipe with a name", make_pipe},
    {"remove a file", remove_file},
    {"rename a file", rename_file},
    {"change the mode of a file", change_mode},
    {"change the mode of its document", change_mode_of_document},
    {"change the owner of a file", change_owner},
    {"cut a file", cut_file},
    {"change the times of a file", change_times},
    {"change the attributes of a file", change_attributes},
    {"make a file in memory", memory_file},
    {"make an internet socket", internet},
    {"make an IPv6 socket", internet6},
    {"make a local socket", local_socket},
    {"make a netlink socket", netlink},
    {"make a packet socket", packets},
    {"make a pair of sockets", pair},
    {"send a descriptor", send_descriptor},
    {"make shared memory", shared_memory},
    {"make a message queue", message_queue},
    {"watch files", watch_files},
    {"run a program", run_program},
    {"run its document", run_descriptor},
    {"start a process", start_process},
    {"start a process directly", start_process_directly},
    {"start a thread", start_thread},
    {"signal its parent", signal_parent},
    {"signal a thread of its parent", signal_thread_of_parent},
    {"signal all processes", signal_all},
    {"trace its parent", trace_parent},
    {"let its parent trace it", let_trace},
    {"copy from the memory of its parent", copy_from_parent},
    {"copy to the memory of its parent", copy_to_parent},
    {"get a handle of its parent", handle_of_parent},
    {"limit its parent", limit_parent},
    {"slow its parent down", slow_parent},
    {"make its memory readable", show_memory},
    {"start a session", leave_group},
    {"map memory to write and run", writable_code},
    {"map empty memory to run", code_in_memory},
    {"make memory that it has written run", make_code},
    {"map its document to run", map_document_to_run},
    {"map a file to run", map_file_to_run},
    {"make a file that it has mapped run", make_mapped_file_run},
    {"make calls of another instruction set", other_instruction_set},
    {"become a user of its own", new_user},
    {"get mounts of its own", new_mounts},
    {"mount a file system", mount_something},
    {"change the root directory", change_root},
    {"become root", become_root},
    {"load a program into the kernel", bpf_program},
    {"count events of the processor", counters},
    {"queue calls of the system", asynchronous_calls},
    {"handle page faults", page_faults},
    {"add a key", keys},
    {"open a file by its handle", open_by_handle},
    {"raise a limit", raise_limit},
    {"have many descriptors", many_descriptors},
};

int probe_count(void) { return sizeof probes / sizeof *probes; }

const char *probe_name(int number) { return probes[number].name; }

int probe_try(int number) {
  errno = 0;
  return probes[number].try();
}

static void leave(int signal) {
  while (getpid() == gettid()) pause();
  syscall(SYS_exit, signal);
}

void probe_leave_threads(void) {
  struct sigaction action = {.sa_handler = leave};
  sigaction(SIGUSR1, &action, 0);
  // The others were started in front of this one.
  for (int thread = getpid(); thread < gettid(); thread++) syscall(SYS_tgkill, getpid(), thread, SIGUSR1);
}

void probe_end_thread(void) { syscall(SYS_exit, 0); }
