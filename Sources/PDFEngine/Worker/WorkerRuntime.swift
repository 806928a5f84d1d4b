// SPDX-License-Identifier: GPL-2.0-or-later

internal import CLinux
internal import DocumentModel
internal import Glibc
internal import RectoSandbox

/// A process that works on one document for a parent process.
///
/// The document is open as descriptor 3, requests are read from standard input, and replies written to standard output.
/// With `--template` it starts such processes by forking (`Template`). With `--sheet` it draws a contact sheet instead
/// of a document, and descriptor 3 is empty.
public enum WorkerRuntime {
  /// Prepares the process, sets up its sandbox, and runs `answer`; then the process exits.
  ///
  /// - Parameter answer: The work, on a thread with a deep stack.
  public static func run(_ answer: @escaping @Sendable (RequestLoop) -> Void) -> Never {
    var arguments = CommandLine.arguments.dropFirst()
    let isSandboxRequired = arguments.last == WorkerRequest.requireSandboxArgument
    if isSandboxRequired { arguments.removeLast() }
    let drawsSheet = arguments.first == WorkerRequest.sheetArgument
    if drawsSheet { arguments.removeFirst() }
    switch arguments {
    case [] where fcntl(WorkerDescriptors.document, F_GETFD) >= 0:
      let replies = takeOutput()
      limitProcess()
      if drawsSheet { SheetDrawing.loadLibraries() } else { DrawingSession.loadLibraries() }
      let sandbox = Sandbox(reading: ReadableFiles.paths())
      work(replies, sandbox, isSandboxRequired, drawsSheet: drawsSheet, answer)
    case [WorkerRequest.templateArgument]:
      close(takeOutput())
      limitProcess()
      DrawingSession.loadLibraries()
      let (replies, sandbox) = Template.run()
      work(replies, sandbox, isSandboxRequired, answer)
    default:
      let words = "recto-worker: this program is started by recto\n"
      _ = words.withCString { write(2, $0, strlen($0)) }
      exit(64)
    }
  }

  /// Answers requests until the parent closes the pipe.
  private static func work(
    _ replies: Int32,
    _ sandbox: Sandbox,
    _ isSandboxRequired: Bool,
    drawsSheet: Bool = false,
    _ answer: @escaping @Sendable (RequestLoop) -> Void
  ) -> Never {
    // Applies to the calling thread. The main thread counts as long as the process has any thread, even if it has
    // ended.
    guard recto_end_with_parent() == 0 else { exit(70) }
    // poppler's parsers recurse about as deep as a file nests: half a gigabyte of address space, of
    // which only used pages take memory, turns ordinary nesting bombs into an error.
    Threads.start(stackSize: 1 << 29) {
      // All threads exist: the remaining layers apply to them, too.
      var sandbox = sandbox
      if drawsSheet { SheetDrawing.loadFonts() }
      // Pango starts a thread for each new combination of fonts.
      sandbox.seal(startsThreads: drawsSheet)
      answer(
        RequestLoop(replies: replies, layers: sandbox.layers, requiresSandbox: isSandboxRequired)
      )
      exit(0)
    }
    Threads.exitWhenParentLeaves()
  }

  /// Replies own standard output: whatever a library prints must not come between them.
  ///
  /// - Returns: The former standard output.
  private static func takeOutput() -> Int32 {
    let replies = dup(1)
    let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard replies >= 0, null >= 0, dup2(null, 1) >= 0 else { exit(70) }
    close(null)
    return replies
  }

  /// Drops rights that neither a worker nor a template needs.
  private static func limitProcess() {
    signal(SIGPIPE, SIG_IGN)
    endOnCrash()
    // The drawing thread would get its own heap, which the C library grows by 4 KB at a time.
    _ = mallopt(M_ARENA_MAX, 1)
    _ = mallopt(M_TOP_PAD, 1 << 20)
    FreshMemory.reuseBlocks()
    guard recto_drop_privileges() == 0 else { exit(70) }
    var noCore = rlimit(rlim_cur: 0, rlim_max: 0)
    guard setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &noCore) == 0 else { exit(70) }
  }

  /// Makes a crash end the process at once, in release builds and unless `SWIFT_BACKTRACE` is set: otherwise the
  /// runtime would first start another program, which reads the memory of a process that can no longer be trusted.
  private static func endOnCrash() {
    #if !DEBUG
      guard getenv("SWIFT_BACKTRACE") == nil else { return }
      for number in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP] {
        signal(number, SIG_DFL)
      }
    #endif
  }
}

/// The descriptors of a worker, besides the standard ones.
enum WorkerDescriptors {
  /// The document.
  static let document = WorkerRequest.documentDescriptor
  /// Replies to the parent, moved from standard output.
  static let replies = document + 1
}
