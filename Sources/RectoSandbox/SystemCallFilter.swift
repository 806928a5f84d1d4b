internal import CSeccomp
internal import Glibc

/// The system calls that a process may make when it works on a document, or connects to a server.
///
/// An allowlist, made from traces of the corpus. Other calls fail with ENOSYS, so that libraries fall back as on older
/// kernels. Calls that only an attacker makes kill the process.
struct SystemCallFilter: Sendable {
  /// Calls that are allowed with any arguments: they concern memory, time, threads and signals of the process itself,
  /// open descriptors, and reading file attributes.
  private static let allowed = [
    // Memory.
    "brk", "madvise", "mremap", "munmap",
    // Open descriptors.
    "close", "fadvise64", "fstat", "fstatfs", "getdents64", "lseek", "poll", "ppoll", "pread64",
    "preadv",
    "read", "readv", "write", "writev",
    // Files by name; Landlock decides which can be opened.
    "access", "faccessat", "faccessat2", "getcwd", "lstat", "newfstatat", "readlink", "readlinkat",
    "stat",
    "statfs", "statx",
    // Threads that are there already.
    "futex", "membarrier", "pause", "restart_syscall", "rseq", "sched_getaffinity", "sched_yield",
    "set_robust_list",
    // Signals.
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack",
    // Time.
    "clock_getres", "clock_gettime", "clock_nanosleep", "gettimeofday", "nanosleep", "time",
    // Information about the process and the machine.
    "getcpu", "getegid", "geteuid", "getgid", "getpid", "getppid", "getrandom", "getrusage",
    "gettid", "getuid",
    "sysinfo", "uname",
    // The end.
    "exit", "exit_group",
  ]

  /// Calls that no library makes while drawing.
  private static let fatal = [
    // Other programs and processes. `clone` fails instead: a library may ask for a thread.
    "execve", "execveat", "fork", "vfork",
    "kcmp", "pidfd_getfd", "pidfd_open", "pidfd_send_signal", "process_madvise", "process_vm_readv",
    "process_vm_writev", "ptrace",
    // Namespaces and mounts.
    "chroot", "fsconfig", "fsmount", "fsopen", "mount", "mount_setattr", "move_mount", "open_tree",
    "pivot_root",
    "setns", "umount2", "unshare",
    // Parts of the kernel that drawing does not need and attackers use.
    "add_key", "bpf", "fanotify_init", "io_uring_enter", "io_uring_register", "io_uring_setup",
    "keyctl",
    "landlock_restrict_self", "name_to_handle_at", "open_by_handle_at", "perf_event_open",
    "personality",
    "request_key", "userfaultfd", "vmsplice",
    // The machine.
    "acct", "clock_settime", "delete_module", "finit_module", "init_module", "ioperm", "iopl",
    "kexec_file_load", "kexec_load", "modify_ldt", "quotactl", "reboot", "sethostname",
    "settimeofday", "swapoff",
    "swapon", "syslog",
    // The identity of the process.
    "capset", "setfsgid", "setfsuid", "setgid", "setgroups", "setregid", "setresgid", "setresuid",
    "setreuid",
    "setuid",
  ]

  /// Calls of a process that connects to servers, which it may do with threads.
  private static let connecting = [
    // `bind` is for the list of the machine's addresses; Landlock denies it for TCP.
    "bind", "connect", "eventfd2", "getpeername", "getsockname", "getsockopt", "pipe2", "pselect6",
    "recvfrom", "recvmsg", "select", "sendmmsg", "sendmsg", "sendto", "setsockopt", "shutdown",
    "socketpair",
  ]

  /// Calls that fail in a way that libraries expect.
  private static let failing: [(name: String, error: Int32)] = [
    // Whether output is a terminal.
    ("ioctl", ENOTTY),
    // The name service daemon, which is asked for the user's home.
    ("socket", EACCES),
  ]

  /// The flags with which the C library starts threads: `CLONE_VM` and `CLONE_THREAD` are among the flags. `clone3`,
  /// whose flags a filter cannot see, must fail as if it did not exist.
  private static let threadFlags: UInt64 = 0x100 | 0x10000

  /// The address of the library's filter, which stays in memory.
  private let address: UInt
  private var filter: scmp_filter_ctx? { scmp_filter_ctx(bitPattern: address) }

  /// The rules that are the same in each process; forks inherit them.
  ///
  /// - Parameter connects: Whether the process may connect to servers.
  /// - Throws: The system's error.
  init(connecting connects: Bool) throws(SandboxFailure) {
    guard let filter = seccomp_init(recto_seccomp_fail(UInt16(ENOSYS))) else {
      throw SandboxFailure("seccomp_init", ENOMEM)
    }
    address = UInt(bitPattern: filter)
    try Self.check(seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1))
    // The same numbers mean other calls on another architecture.
    try Self.check(seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS))
    for name in Self.allowed { try add(SCMP_ACT_ALLOW, name) }
    for name in Self.fatal { try add(SCMP_ACT_KILL_PROCESS, name) }
    if connects {
      for name in Self.connecting { try add(SCMP_ACT_ALLOW, name) }
      for (name, conditions) in Self.connections { try add(SCMP_ACT_ALLOW, name, conditions) }
    } else {
      for (name, error) in Self.failing { try add(recto_seccomp_fail(UInt16(error)), name) }
    }
    for (name, conditions) in Self.conditional { try add(SCMP_ACT_ALLOW, name, conditions) }
  }

  /// Applies the filter to all threads of the process. Cannot be undone.
  ///
  /// - Parameter allowsThreads: Whether it may start threads.
  /// - Throws: The system's error.
  func install(allowingThreads allowsThreads: Bool) throws(SandboxFailure) {
    // `abort`.
    try add(SCMP_ACT_ALLOW, "tgkill", [Self.argument(0, equals: UInt64(getpid()))])
    if allowsThreads {
      let flags = Self.argument(0, masked: Self.threadFlags, Self.threadFlags)
      try add(SCMP_ACT_ALLOW, "clone", [flags])
    } else {
      try add(recto_seccomp_fail(UInt16(EPERM)), "clone")
    }
    try Self.check(seccomp_load(filter))
  }

  /// Calls that are allowed with certain arguments.
  private static var conditional: [(name: String, conditions: [scmp_arg_cmp])] {
    let writing = UInt64(O_ACCMODE | O_CREAT | O_TRUNC)
    let run = UInt64(PROT_EXEC)
    let runOrWrite = UInt64(PROT_EXEC | PROT_WRITE)
    // `MAP_TYPE`: the bits for shared or private.
    let sharing: UInt64 = 0xF
    let commands = [F_GETFD, F_SETFD, F_GETFL, F_DUPFD, F_DUPFD_CLOEXEC]
    return [
      ("openat", [argument(2, masked: writing, 0)]),
      // No new executable mappings: a file can contain code, too. No shared writable mappings: they could change a file
      // without another call.
      ("mmap", [argument(2, masked: runOrWrite, 0)]),
      ("mmap", [argument(2, masked: run, 0), argument(3, masked: sharing, UInt64(MAP_PRIVATE))]),
      ("mprotect", [argument(2, masked: run, 0)]),
      // The next document comes with a request. Without other flags, such as the one for out-of-band data.
      ("recvmsg", [argument(0, equals: 0), argument(2, equals: UInt64(MSG_CMSG_CLOEXEC))]),
      // Limits can be read.
      ("prlimit64", [argument(0, equals: 0), argument(2, equals: 0)]),
    ] + commands.map { ("fcntl", [argument(1, equals: UInt64($0))]) }
  }

  /// Calls that are allowed with certain arguments if the process connects to servers.
  private static var connections: [(name: String, conditions: [scmp_arg_cmp])] {
    // Kinds of sockets that reach other machines, and the list of this machine's addresses.
    let netlink = [argument(0, equals: UInt64(AF_NETLINK)), argument(2, equals: 0)]
    return [
      ("socket", [argument(0, equals: UInt64(AF_INET))]),
      ("socket", [argument(0, equals: UInt64(AF_INET6))]), ("socket", netlink),
      ("fcntl", [argument(1, equals: UInt64(F_SETFL))]),
      ("ioctl", [argument(1, equals: UInt64(FIONREAD))]),
      ("ioctl", [argument(1, equals: UInt64(FIONBIO))]),
      // Modules of the name service are loaded on first use. They come from the directories of libraries.
      (
        "mmap",
        [
          argument(2, masked: UInt64(PROT_EXEC | PROT_WRITE), UInt64(PROT_EXEC)),
          argument(3, masked: 0xF, UInt64(MAP_PRIVATE)),
        ]
      ),
    ]
  }

  private static func argument(_ number: UInt32, equals value: UInt64) -> scmp_arg_cmp {
    scmp_arg_cmp(arg: number, op: SCMP_CMP_EQ, datum_a: value, datum_b: 0)
  }

  private static func argument(
    _ number: UInt32,
    masked mask: UInt64,
    _ value: UInt64
  ) -> scmp_arg_cmp {
    scmp_arg_cmp(arg: number, op: SCMP_CMP_MASKED_EQ, datum_a: mask, datum_b: value)
  }

  /// Adds a rule. Calls that this architecture or library does not know are skipped and get the default.
  private func add(
    _ action: UInt32,
    _ name: String,
    _ conditions: [scmp_arg_cmp] = []
  ) throws(SandboxFailure) {
    let number = seccomp_syscall_resolve_name(name)
    guard number >= 0 else { return }
    try Self.check(
      seccomp_rule_add_array(filter, action, number, UInt32(conditions.count), conditions)
    )
  }

  private static func check(_ status: Int32) throws(SandboxFailure) {
    guard status == 0 else { throw SandboxFailure("seccomp", -status) }
  }
}
