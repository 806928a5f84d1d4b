// SPDX-License-Identifier: GPL-2.0-or-later

internal import CLinux
internal import Glibc
internal import RectoSandbox

/// A process that starts workers by forking.
///
/// For a small document, most of the time is spent on starting a worker: the dynamic linker,
/// fontconfig's configuration, poppler's tables. That is the same for each document. The template
/// does it once, by drawing a built-in page, and opens no other document.
///
/// Its parent is at the other end of descriptor 0, a socket with message boundaries. When the template is ready it
/// sends a zero. Each request is a byte with three descriptors: the worker's requests, its replies and the document.
/// The answer is a 32-bit number: the process ID, which the worker itself sends before it closes the socket; or a
/// negated error number, sent by the template. A worker is a child of the template's parent.
enum Template {
  private static let control: Int32 = 0
  /// Seconds after which a template that is not ready exits.
  private static let patience: UInt32 = 20

  /// Waits for requests until the parent closes the socket. Returns in each worker.
  ///
  /// - Returns: The descriptor for replies, and the first step of the sandbox, which forks inherit.
  static func run() -> (replies: Int32, sandbox: Sandbox) {
    alarm(patience)
    reserveDescriptors()
    let threads = open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // Other threads would not exist in a worker, and their locks would never be released.
    guard WarmUp.run(repliesTo: 1), dup2(1, WorkerDescriptors.document) >= 0,
      let threadNumber = recto_thread_number(), threadCount(threads) == 1
    else { exit(70) }
    // Fontconfig has read its configuration, and has written its cache if there was none.
    let sandbox = Sandbox(reading: ReadableFiles.paths())
    FreshMemory.prepare()
    guard say(0) else { exit(70) }
    alarm(0)
    var descriptors: [Int32] = [-1, -1, -1]
    while true {
      var byte: UInt8 = 0
      let count = recto_receive_descriptors(
        control,
        &byte,
        1,
        &descriptors,
        Int32(descriptors.count),
        0
      )
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { _exit(0) }
      let process = threadCount(threads) == 1 ? recto_fork_sibling(threadNumber) : -1
      if process == 0 { return (becomeWorker(descriptors), sandbox) }
      if process < 0, !say(-errno) { _exit(0) }
      for descriptor in descriptors { close(descriptor) }
    }
  }

  /// Turns the fork into a newly started worker.
  ///
  /// - Returns: The descriptor for replies.
  private static func becomeWorker(_ descriptors: [Int32]) -> Int32 {
    // Before the parent knows the process ID, so that killing the group always works.
    guard setpgid(0, 0) == 0, say(getpid()) else { _exit(70) }
    // Replaces the socket: a worker has no connection to the template.
    let (document, replies) = (WorkerDescriptors.document, WorkerDescriptors.replies)
    guard dup2(descriptors[0], control) >= 0, dup2(descriptors[1], replies) >= 0,
      dup2(descriptors[2], document) >= 0,
      close_range(UInt32(replies) + 1, UInt32(Int32.max), 0) == 0
    else { _exit(70) }
    return replies
  }

  /// Reserves the descriptors of a worker, so that received ones get other numbers.
  private static func reserveDescriptors() {
    for number in [WorkerDescriptors.document, WorkerDescriptors.replies] {
      guard dup2(1, number) >= 0 else { exit(70) }
    }
  }

  /// Sends a number to the parent.
  private static func say(_ number: Int32) -> Bool {
    var number = number
    return send(control, &number, 4, Int32(MSG_NOSIGNAL)) == 4
  }

  /// The number of threads of this process.
  ///
  /// - Returns: The number; 0 if it is unknown.
  private static func threadCount(_ folder: Int32) -> Int {
    var status = stat()
    // A directory has a link from itself, one from its parent, and one from each directory in it.
    guard fstat(folder, &status) == 0 else { return 0 }
    return Int(status.st_nlink) - 2
  }
}
