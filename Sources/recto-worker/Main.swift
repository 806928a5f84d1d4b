internal import CLinux
internal import Glibc
internal import WorkerProtocol

/// Renders pages of one document for a parent process.
///
/// The document is open as descriptor 3, requests come in on standard input, replies leave on
/// standard output. Not meant to be started by hand.
@main
enum Main {
  static func main() {
    guard CommandLine.arguments.count == 1, fcntl(WorkerRequest.documentDescriptor, F_GETFD) >= 0
    else {
      let words = "recto-worker: this program is started by recto\n"
      _ = words.withCString { write(2, $0, strlen($0)) }
      exit(64)
    }
    // Replies own standard output: whatever a library prints must not come between them.
    let replies = dup(1)
    let null = open("/dev/null", O_WRONLY)
    guard replies >= 0, null >= 0, dup2(null, 1) >= 0 else { exit(70) }
    signal(SIGPIPE, SIG_IGN)
    endOnCrash()
    guard recto_drop_privileges() == 0 else { exit(70) }
    var noCore = rlimit(rlim_cur: 0, rlim_max: 0)
    guard setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &noCore) == 0 else { exit(70) }
    Threads.start(stackSize: 1 << 16) { Threads.exitWhenParentLeaves() }
    // poppler's parsers recurse about as deep as a file nests: half a gigabyte of address space,
    // of which only what is used becomes memory, lets ordinary nesting bombs end as an error.
    Threads.start(stackSize: 1 << 29) {
      RequestLoop(replies: replies).run()
      exit(0)
    }
    while true { pause() }
  }

  /// Makes a crash end the process at once, in release builds and unless `SWIFT_BACKTRACE` is set: the
  /// runtime would start another program first, which reads the memory of a process that no longer
  /// can be trusted.
  private static func endOnCrash() {
    #if !DEBUG
      guard getenv("SWIFT_BACKTRACE") == nil else { return }
      for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] {
        signal(number, SIG_DFL)
      }
    #endif
  }
}
